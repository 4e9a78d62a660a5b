import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import { buildListedItem, type ListedItem, listingOf } from '#server/selling/sales/testing/sell.ts'
import type { Services } from '#server/services.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { createFakeOrderPlatform, type FakeOrders } from './fake-orders.ts'

/** A server with in-memory eBay and Etsy. No worker runs until a test starts one. */
export interface OrderHarness {
  server: TestServer
  services: Services
  ebay: FakeOrders
  etsy: FakeOrders
  seller(platforms?: OAuthSlug[]): Promise<OrderSeller>
  close(): Promise<void>
}

export interface OrderSeller {
  account: TestAccount
  user_id: number
  /** Seller account uid and external id by platform. */
  shops: Record<string, string>
  external: Record<string, string>
  /** Builds an item that is live in every shop, as listing `{platform}-{item uid}`. */
  item(): Promise<ListedItem>
}

export async function startOrderHarness(options: Partial<TestServerOptions> = {}): Promise<OrderHarness> {
  const ebay = createFakeOrderPlatform('ebay')
  const etsy = createFakeOrderPlatform('etsy')
  const platforms: PlatformAdapter[] = [ebay.adapter, etsy.adapter]
  const server = await startTestServer({ platforms, works: false, ...options })
  return {
    server,
    services: server.services,
    ebay: ebay.fixture,
    etsy: etsy.fixture,
    seller: (slugs = ['ebay', 'etsy']) => buildOrderSeller(server.services, slugs),
    close: () => server.close(),
  }
}

/** Builds an account with connected shops. */
export async function buildOrderSeller(services: Services, slugs: OAuthSlug[]): Promise<OrderSeller> {
  const account = await buildAccount(services.db)
  const seller: OrderSeller = {
    account,
    user_id: account.user_id,
    shops: {},
    external: {},
    item: () => buildListedItem(services.db, seller),
  }
  for (const platform of slugs) {
    const external_id = `${platform}-shop-${randomBase62(8)}`
    const { seller_account_uid } = await storeConnection(services, {
      user_id: account.user_id,
      platform,
      shop: { external_id, external_name: external_id, url: `https://platform.example/${external_id}` },
      grant: {
        access_token: `access of ${external_id}`,
        refresh_token: 'fake-refresh',
        expires_in_seconds: 7_200,
        refresh_expires_in_seconds: null,
        scopes: [],
      },
    })
    seller.shops[platform] = seller_account_uid
    seller.external[platform] = external_id
  }
  return seller
}

export { listingOf }
