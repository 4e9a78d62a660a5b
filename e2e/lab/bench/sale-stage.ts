import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** The secret that the sandbox platforms sign their pushes with (Standard Webhooks). */
export const etsySecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

export interface MarketPlan {
  sellers: number
  itemsEach: number
  etsy: { perSecond: number; perDay: number }
  ebayTradingPerDay: number
  /** Gives the listings believable titles, texts and pictures, for measurements of size. */
  believable?: boolean
}

interface MarketShop {
  external_id: string
  name: string
  grant: { access_token: string; refresh_token: string }
}

export interface StartedMarket {
  ebayUrl: string
  etsyUrl: string
  keysUrl: string
  sellers: { ebay: MarketShop; etsy: MarketShop; items: Record<OAuthSlug, string>[] }[]
}

export interface SalePlan {
  /** Address that the platforms push to; null to lose all pushes. */
  hapaxUrl: string | null
  sales: number
  perSecond: number
  seed: number
}

export interface Bought {
  platform: OAuthSlug
  order: string
  /** Index of the seller, and the item's listings. */
  seller: number
  item: Record<OAuthSlug, string>
}

interface Market {
  pid: number
  started: StartedMarket
  sell(sale: SalePlan): Promise<Bought[]>
  close(): void
}

/** Starts the sandbox platforms and their buyers in a separate process. */
export async function openMarket(plan: MarketPlan): Promise<Market> {
  const child = fork(fileURLToPath(new URL('./sale-market.ts', import.meta.url)), [JSON.stringify(plan)])
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the market ended (${code})`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as Message)
      })
    })
  return {
    pid: child.pid ?? 0,
    started: await next<StartedMarket>(),
    async sell(sale) {
      const answer = next<{ bought: Bought[] }>()
      child.send(sale)
      return (await answer).bought
    },
    close: () => void child.kill(),
  }
}

/** Returns the settings of a Hapax whose platforms are the market's. */
export function saleEnvironment(
  { config }: Pick<Services, 'config'>,
  { ebayUrl, etsyUrl }: StartedMarket,
): Record<string, string> {
  return {
    DATABASE_URL: config.DATABASE_URL ?? '',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    EBAY_AUTH_URL: ebayUrl,
    EBAY_API_URL: ebayUrl,
    EBAY_APIZ_URL: ebayUrl,
    EBAY_CLIENT_ID: 'Bench',
    EBAY_CLIENT_SECRET: 'bench',
    EBAY_RU_NAME: 'Bench',
    ETSY_AUTH_URL: etsyUrl,
    ETSY_API_URL: etsyUrl,
    ETSY_CLIENT_ID: 'bench',
    ETSY_CLIENT_SECRET: 'bench',
    ETSY_WEBHOOK_SECRET: etsySecret,
    PUBLIC_URL: 'http://127.0.0.1',
  }
}

/** Settings of a Hapax in a separate process (sale-hapax.ts). */
export interface HapaxPlan {
  environment: Record<string, string>
  keysUrl: string
  etsyPerSecond: number
  ebayTradingPerDay: number
}

/** Starts server and workers in a separate process, and returns their address. */
export async function openHapax(
  plan: HapaxPlan,
): Promise<{ url: string; smtpPort: number; pid: number; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./sale-hapax.ts', import.meta.url)), [JSON.stringify(plan)])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const opened = await new Promise<{ url: string; smtpPort: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; smtpPort: number }))
    child.once('exit', (code) => reject(new Error(`Hapax ended (${code})`)))
  })
  return {
    ...opened,
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

/** An account with its shops on the two platforms. */
export interface ConnectedSeller {
  account: TestAccount
  shops: Record<OAuthSlug, string>
}

/** Creates an account for each of the market's sellers, with two connected shops. */
export async function connectSellers(services: Services, market: StartedMarket): Promise<ConnectedSeller[]> {
  const sellers: ConnectedSeller[] = []
  for (const seller of market.sellers) {
    const account = await buildAccount(services.db)
    const connect = async (platform: OAuthSlug) => {
      const { external_id, name, grant } = seller[platform]
      const shop = { external_id, external_name: name, url: 'https://platform.example/shop' }
      const lasting = { ...grant, expires_in_seconds: 36_000, refresh_expires_in_seconds: null, scopes: [] }
      const { user_id } = account
      return (await storeConnection(services, { user_id, platform, shop, grant: lasting })).seller_account_uid
    }
    sellers.push({ account, shops: { ebay: await connect('ebay'), etsy: await connect('etsy') } })
  }
  return sellers
}

/** Creates an account for each of the market's sellers, with two shops that list the same items. Returns the accounts. */
export async function createSellers(services: Services, market: StartedMarket): Promise<TestAccount[]> {
  const { db } = services
  const sellers = await connectSellers(services, market)
  for (const [index, { account, shops }] of sellers.entries()) {
    const { user_id } = account
    const seller = market.sellers[index] as StartedMarket['sellers'][number]
    const rows = seller.items.map((item) => ({ uid: newOrderedId('inv'), ...item }))
    await db.none(
      `with given as (select * from jsonb_to_recordset($<rows>::jsonb) as given (uid text, ebay text, etsy text)),
       item as (
         insert into inventory_item (user_id, uid, product_id, offer_id, title, images, condition_label, inspected_at,
           price_minor, currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url)
         select $<user_id>, uid, uid, uid, 'A thing', '{https://example.com/1.jpg}', 'Used', '2026-01-02', 1000, 'USD',
           'available', now(), 'https://example.com/', 'https://example.com/', 'https://example.com/'
         from given
       ),
       history as (
         insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
         select $<user_id>, uid, 1, 'import', 'available', 'Bench' from given
       )
       insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor,
         currency, observed_at, created_at)
       select $<user_id>, place.shop, place.listing_id, given.uid, place.platform, 'https://example.com/', 'available', 1000,
         'USD', now(), now() - interval '1 day'
       from given
       cross join lateral (values ('ebay', $<ebay>, given.ebay), ('etsy', $<etsy>, given.etsy))
         as place (platform, shop, listing_id)`,
      { user_id, ...shops, rows: JSON.stringify(rows) },
    )
  }
  await db.none(history)
  await db.none('analyze')
  return sellers.map(({ account }) => account)
}

/**
 * Inserts thirty past orders for each shop. Empty tables would get other query plans than those of a server with a
 * thousand shops.
 */
const history = `with past as (
    select user_id, uid as shop, platform, uid || '-' || n as ref, now() - n * interval '1 day' as at
    from seller_account cross join generate_series(1, 30) as n
  ),
  past_order as (
    insert into marketplace_order (user_id, uid, platform, seller_account_uid, external_order_id, source, status,
      ordered_at, modified_at)
    select user_id, ref, platform, shop, ref, 'platform', 'paid', at, at from past
  ),
  line as (
    insert into order_line (user_id, order_uid, external_line_id, listing_id, quantity, price_minor, currency, item_uid,
      matched_by, status, state, modified_at, recorded_at)
    select user_id, ref, '1', ref, 1, 1000, 'USD', ref, 'listing', 'paid', 'sold', at, at from past
  ),
  sold as (
    insert into sale (user_id, item_uid, order_uid, external_line_id, platform, sold_at)
    select user_id, ref, ref, '1', platform, at from past
  ),
  push as (
    insert into order_fetch_request (user_id, platform, external_order_id, external_line_id, seller_account_uid, received_at,
      handled_at)
    select user_id, platform, ref, '1', shop, at, at from past
  )
  insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, listing_id, state, cause, created_at,
    seen_at, accepted_at, confirmed_at, finished_at)
  select user_id, 'delist', ref, platform, shop, ref, 'done', 'mark_sold', at, at, at, at, at from past`
