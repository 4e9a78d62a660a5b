import { type Queries, sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'

const findErasing = sql(import.meta.url, './sql/find-erasing-shops.sql')
const eraseChanges = sql(import.meta.url, './sql/erase-changes.sql')
const eraseImportItems = sql(import.meta.url, './sql/erase-import-items.sql')
const eraseImports = sql(import.meta.url, './sql/erase-imports.sql')
const eraseSellerUrls = sql(import.meta.url, './sql/erase-seller-urls.sql')
const eraseOrders = sql(import.meta.url, './sql/erase-orders.sql')
const eraseEvents = sql(import.meta.url, './sql/erase-events.sql')
const addToReceipt = sql(import.meta.url, './sql/add-to-receipt.sql')
const end = sql(import.meta.url, './sql/end-erasure.sql')

interface ErasingShop {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
  /** The erasure notice. */
  message_id: string
}

interface ErasedUrls {
  reached: string | null
  changed: { uid: string; version: number }[]
}

/** Rows erased in one step. */
const limit = 500

/**
 * Erases what was read from shops whose platform demands it: imports, links to the seller's page, and order names.
 * Inventory items are the seller's own and stay. No buyers' data is stored. Each step is its own transaction and
 * counted in the receipt, so a crash or a second worker loses nothing.
 */
export async function eraseShopData(services: Pick<Services, 'db'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const shops = await services.db.any<ErasingShop>(findErasing)
    for (const shop of shops) await eraseShopsRest(services, shop, signal)
    if (shops.length === 0 || signal?.aborted) return
  }
}

async function eraseShopsRest(
  { db }: Pick<Services, 'db'>,
  shop: ErasingShop,
  signal: AbortSignal | undefined,
): Promise<void> {
  const values = { ...shop, platform_url: `${platformOf(shop.platform).url}/`, limit }
  /** Runs `step` until it finds nothing more, counting erased rows as `what`. */
  const inSteps = async (what: string | null, step: (tx: Queries) => Promise<{ erased: number; isOver: boolean }>) => {
    for (let isOver = false; !isOver && !signal?.aborted; ) {
      isOver = await retriedTransaction(db, 'erase-shop', async (tx) => {
        const done = await step(tx)
        if (what && done.erased > 0) await tx.none(addToReceipt, { ...shop, what, count: done.erased })
        return done.isOver
      })
    }
  }
  const all = (query: ReturnType<typeof sql>) => async (tx: Queries) => {
    const { found, erased } = await tx.one<{ found: number; erased: number }>(query, values)
    return { erased, isOver: found === 0 }
  }
  await inSteps(null, all(eraseChanges))
  await inSteps(null, all(eraseImportItems))
  await inSteps('imports', all(eraseImports))
  let after = ''
  await inSteps('items', async (tx) => {
    const { reached, changed } = await tx.one<ErasedUrls>(eraseSellerUrls, { ...values, after })
    after = reached ?? after
    const events = changed.map(({ uid, version }) => {
      return { type: 'item.updated' as const, item_uid: uid, data: { inventory_item_uid: uid, version } }
    })
    await emitEvents(tx, shop.user_id, events)
    return { erased: changed.length, isOver: reached === null }
  })
  await inSteps('orders', all(eraseOrders))
  await inSteps(null, all(eraseEvents))
  if (!signal?.aborted) await db.none(end, shop)
}
