import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { Services } from '#server/services.ts'
import { buildAccount } from '#server/testing/account.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import type { Grant } from './import-stage.ts'

/** The secret that the sandbox platforms sign their pushes with (Standard Webhooks). */
export const etsySecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

export interface MarketPlan {
  sellers: number
  itemsEach: number
  etsy: { perSecond: number; perDay: number }
  ebayTradingPerDay: number
}

interface ToldShop {
  external_id: string
  name: string
  grant: Grant
}

export interface MarketTold {
  ebayUrl: string
  etsyUrl: string
  keysUrl: string
  sellers: { ebay: ToldShop; etsy: ToldShop; items: Record<OAuthSlug, string>[] }[]
}

export interface SaleOrders {
  /** Where the platforms push to; null: all pushes are lost. */
  hapaxUrl: string | null
  sales: number
  perSecond: number
  /** Only the first so many sellers sell. */
  sellersOnly?: number
  seed: number
}

export interface Bought {
  platform: OAuthSlug
  order: string
  atMs: number
  /** Which of the told sellers, and where the thing stood. */
  seller: number
  item: Record<OAuthSlug, string>
}

export interface Market {
  pid: number
  told: MarketTold
  sell(orders: SaleOrders): Promise<Bought[]>
  close(): void
}

/** The sandbox platforms and their buyers, in a process of their own. */
export async function openMarket(plan: MarketPlan): Promise<Market> {
  const child = fork(fileURLToPath(new URL('./sale-market.ts', import.meta.url)), [JSON.stringify(plan)])
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Message))
      child.once('exit', (code) => reject(new Error(`the market ended (${code})`)))
    })
  return {
    pid: child.pid ?? 0,
    told: await next<MarketTold>(),
    async sell(orders) {
      const answer = next<{ bought: Bought[] }>()
      child.send(orders)
      return (await answer).bought
    },
    close: () => void child.kill(),
  }
}

/** Settings of a Hapax in a separate process (sale-hapax.ts). */
export interface HapaxOrders {
  environment: Record<string, string>
  keysUrl: string
  etsyPerSecond: number
  ebayTradingPerDay: number
}

/** Server and workers in a process of their own; answers their address. */
export async function openHapax(orders: HapaxOrders): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./sale-hapax.ts', import.meta.url)), [JSON.stringify(orders)])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { url: string }).url))
    child.once('exit', (code) => reject(new Error(`Hapax ended (${code})`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

/** The market's sellers as accounts with two shops each, whose things stand on both. */
export async function moveIn(services: Services, told: MarketTold): Promise<void> {
  const { db } = services
  for (const seller of told.sellers) {
    const { user_id } = await buildAccount(db)
    const shops: Partial<Record<OAuthSlug, string>> = {}
    for (const platform of ['ebay', 'etsy'] as const) {
      const { external_id, name, grant } = seller[platform]
      const shop = { external_id, external_name: name, url: 'https://platform.example/shop' }
      const lasting = { ...grant, expires_in_seconds: 36_000, refresh_expires_in_seconds: null, scopes: [] }
      shops[platform] = (
        await storeConnection(services, { user_id, platform, shop, grant: lasting })
      ).seller_account_uid
    }
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
}

/**
 * Thirty orders that each shop has had: a house that has sold before. On empty tables statements would be planned for
 * tables of nothing, which none that serves a thousand shops has.
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

/** Nearest rank. */
export function spreadOf(values: number[]): { p50: number; p95: number; p99: number; max: number; count: number } {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (part: number) => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), count: sorted.length }
}
