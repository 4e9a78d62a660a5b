import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import type { TestServer } from '#e2e/harness/server.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { RunningEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import type { RunningEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { insertItem, insertLiveListing } from '#server/selling/listings/testing/build-item.ts'
import { toReportedOrder } from '#server/selling/orders/to-reported-order.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A seller whose shop is at a stand-in, with items that are listed there. */
export interface ShippingSeller {
  account: TestAccount
  shop: string
  /** Calls the API with the seller's key. */
  call: Api
  /** Lists an item, and returns its uid. */
  item(listing_id: string, given?: { sku?: string; location?: string }): Promise<string>
  /** Reads an order, as a push or the next reading does, and returns its uid. */
  read(external_order_id: string): Promise<string>
}

/** Connects an account to a shop of a stand-in. */
async function connectSeller(
  server: TestServer,
  shop: { platform: OAuthSlug; external_id: string; url: string },
  grant: { access_token: string; refresh_token: string },
): Promise<ShippingSeller> {
  const { services } = server
  const { db } = services
  const { platform } = shop
  const account = await buildAccount(db)
  const { user_id } = account
  const { seller_account_uid } = await storeConnection(services, {
    ...{ user_id, platform, shop: { ...shop, external_name: shop.external_id } },
    grant: { ...grant, expires_in_seconds: 3_600, refresh_expires_in_seconds: null, scopes: [] },
  })
  const call = apiOf(server.url)
  return {
    account,
    shop: seller_account_uid,
    call: (method, path, given = {}) => call(method, path, { ...given, headers: { ...account.key, ...given.headers } }),
    async item(listing_id, { sku, location } = {}) {
      const item_uid = await insertItem(db, user_id, sku ? { sku } : {})
      await insertLiveListing(db, { user_id, item_uid, seller_account_uid, platform, listing_id })
      const attributes = JSON.stringify(location ? { storage_location: location } : {})
      await db.none('update inventory_item set attributes = $1 where uid = $2', [attributes, item_uid])
      return item_uid
    },
    async read(external_order_id) {
      const owner = { user_id, seller_account_uid }
      const order = await withShopAccess(services, owner, (access, { orders }) =>
        orders!.readOrder(access, external_order_id),
      )
      const sale = { order: toReportedOrder({ ...owner, platform }, order!) }
      const seen_at = new Date().toISOString()
      return (await recordSale(db, user_id, { ...sale, evidence: { by: 'poll', seen_at } })).uid
    },
  }
}

export const connectEbay = ({ sandbox, url }: RunningEbaySandbox, server: TestServer, username: string) =>
  connectSeller(
    server,
    { platform: 'ebay', external_id: sandbox.market.seller(username)!.userId, url },
    sandbox.grant(username),
  )

export const connectEtsy = ({ sandbox, url }: RunningEtsySandbox, server: TestServer, name: string) =>
  connectSeller(
    server,
    { platform: 'etsy', external_id: String(sandbox.market.shopNamed(name)!.shopId), url },
    sandbox.grant(name),
  )
