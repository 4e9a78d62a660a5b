import type { Transaction } from '#server/infra/db/index.ts'
import type { RowOf, Statement } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

type ErasingShop = RowOf<typeof sql.findErasingShops>

/** Rows erased in one step. */
const limit = 500

/**
 * Erases what was read from shops whose platform demands it: imports, links to the seller's page, and order names.
 * Inventory items are the seller's own and stay. Notes of buyers go with
 * the orders' names. Each step is its own transaction and
 * counted in the receipt, so a crash or a second worker loses nothing.
 */
export async function eraseShopData(services: Pick<Services, 'db'>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const shops = await services.db.any(sql.findErasingShops())
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
  const inSteps = async (
    what: string | null,
    step: (tx: Transaction) => Promise<{ erased: number; isOver: boolean }>,
  ) => {
    for (let isOver = false; !isOver && !signal?.aborted; ) {
      isOver = await transaction(db, 'erase-shop', async (tx) => {
        const done = await step(tx)
        if (what && done.erased > 0) await tx.none(sql.addToReceipt({ ...shop, what, count: done.erased }))
        return done.isOver
      })
    }
  }
  const all =
    (step: (given: typeof values) => Statement<{ found: number; erased: number }>) => async (tx: Transaction) => {
      const { found, erased } = await tx.one(step(values))
      return { erased, isOver: found === 0 }
    }
  await inSteps(null, all(sql.eraseChanges))
  await inSteps(null, all(sql.eraseImportItems))
  await inSteps('imports', all(sql.eraseImports))
  let after = ''
  await inSteps('items', async (tx) => {
    const { reached, changed } = await tx.one(sql.eraseSellerUrls({ ...values, after }))
    after = reached ?? after
    const events = changed.map(({ uid, version }) => {
      return { type: 'item.updated' as const, item_uid: uid, data: { inventory_item_uid: uid, version } }
    })
    await emitEvents(tx, shop.user_id, events)
    return { erased: changed.length, isOver: reached === null }
  })
  await inSteps('orders', all(sql.eraseOrders))
  await inSteps(null, all(sql.eraseEvents))
  if (!signal?.aborted) await db.none(sql.endErasure(shop))
}
