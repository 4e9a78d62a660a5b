import type { AnswerOf, RequestOf, ReviewedItem, ShownItem } from '#extension/messaging/protocol.ts'
import type { WireError } from '#extension/messaging/wire-error.ts'
import { HapaxError } from '#shared/client/error.ts'
import { listImportItems } from '#shared/contract/catalog/imports.ts'
import {
  createInventoryItem,
  deleteInventoryItem,
  getInventoryHistory,
  getInventoryItem,
  type HistoryEntry,
  type InventoryItem,
  updateInventoryItem,
} from '#shared/contract/catalog/inventory.ts'
import { markItemSold } from '#shared/contract/selling/listings.ts'
import type { Listing } from '#shared/listing.ts'
import { plainText } from '#shared/plain-text.ts'
import { activeSession, openCall, platformOfJob, type WorkerContext } from '../context.ts'
import { storeCachedItem, syncInventory } from '../inventory/sync-inventory.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { readSession } from '../session/session.ts'
import { whileIn } from '../session/store-for-session.ts'
import { wireError } from '../wire-error.ts'
import type { PopupHandlers } from './answer-page.ts'

type InventoryHandlers = Pick<
  PopupHandlers,
  | 'inventory.sync'
  | 'inventory.item'
  | 'inventory.knownItem'
  | 'inventory.change'
  | 'inventory.create'
  | 'inventory.delete'
  | 'inventory.markSold'
  | 'inventory.jobItems'
>

/** Handlers for the inventory. Pages read the cache themselves; everything that needs the API key is done here. */
export function inventoryHandlers(context: WorkerContext): InventoryHandlers {
  /**
   * Returns a function that stores an item in the cache or removes it, as long as the session of this moment lasts. Call
   * it before asking the server, so that nothing is kept for another account.
   */
  const startKeeping = async () => {
    const [inventory, session] = [await context.inventory(), await readSession(context.store)]
    return async (uid: string, item: InventoryItem | null) => {
      if (session) await whileIn(context, session, () => storeCachedItem(inventory, uid, item))
    }
  }
  return {
    async 'inventory.sync'() {
      return sync(context)
    },

    async 'inventory.knownItem'({ uid }) {
      const item: InventoryItem | undefined = await (await context.inventory()).items.get(uid)
      return item ? shown(context, item, null, null) : null
    },

    async 'inventory.item'({ uid }) {
      const inventory = await context.inventory()
      const keep = await startKeeping()
      try {
        const call = await openCall(context)
        const [item, history] = await Promise.all([
          call(getInventoryItem, { params: { uid } }),
          call(getInventoryHistory, { params: { uid } }),
        ])
        await keep(uid, item)
        return shown(context, item, history, null)
      } catch (error) {
        if (error instanceof HapaxError && error.code === 'not_found') {
          await keep(uid, null)
          throw error
        }
        // Works offline: returns the cached item, if any.
        const item: InventoryItem | undefined = await inventory.items.get(uid)
        if (!item) throw error
        return shown(context, item, null, wireError(error))
      }
    },

    async 'inventory.change'({ uid, change }) {
      const keep = await startKeeping()
      const item = await (await openCall(context))(updateInventoryItem, { params: { uid }, body: change })
      await keep(uid, item)
      return item
    },

    async 'inventory.create'({ item, key, account }) {
      const keep = await startKeeping()
      const created = await context.clientOf(await activeSession(context, account))(createInventoryItem, {
        body: item,
        headers: { 'idempotency-key': key },
      })
      await keep(created.uid, created)
      return created
    },

    async 'inventory.delete'({ uid }) {
      const keep = await startKeeping()
      const call = await openCall(context)
      await call(deleteInventoryItem, { params: { uid } }).catch((error: unknown) => {
        // A repeated request whose first answer was lost.
        if (!(error instanceof HapaxError) || error.code !== 'not_found') throw error
      })
      await keep(uid, null)
      return null
    },

    async 'inventory.markSold'({ uid, ...body }) {
      const call = await openCall(context)
      return call(markItemSold, { params: { uid }, body }).catch((error: unknown) => {
        // A repeated request whose first answer was lost: accept it if the item is sold.
        if (!(error instanceof HapaxError) || error.code !== 'not_available') throw error
        return call(getInventoryItem, { params: { uid } }).then((item) => {
          if (item.record.lifecycle.state !== 'sold') throw error
          return { uid, state: 'sold' as const, taking_down: [] }
        })
      })
    },

    'inventory.jobItems': (request) => readJobItems(context, request),
  }
}

/** Returns results of an import with the photo and currency that this browser or the server knows of each. */
async function readJobItems(
  context: WorkerContext,
  { job, page, status }: RequestOf<'inventory.jobItems'>,
): Promise<AnswerOf<'inventory.jobItems'>> {
  const call = await openCall(context)
  const answer = await call(listImportItems, {
    params: { uid: job },
    query: { page: String(page), page_size: '100', ...(status ? { status } : {}) },
  })
  const platform = await platformOfJob(context, job)
  const keys = answer.results.map((item) => `${platform}:${item.external_listing_id}`)
  const cached = await (await context.importQueue()).listings.bulkGet(keys)
  const items = answer.results.map((item, n): ReviewedItem => {
    const listing = cached[n]?.unread ? undefined : cached[n]?.listing
    return {
      item,
      image: listing?.images[0] ?? item.listing_image ?? null,
      currency: listing?.currency ?? item.listing_currency ?? null,
    }
  })
  return { count: answer.count, items }
}

async function shown(
  context: WorkerContext,
  item: InventoryItem,
  history: HistoryEntry[] | null,
  trouble: WireError | null,
): Promise<ShownItem> {
  const description = plainText(item.description)
  return { item, description, history, copies: await copiesOf(context, item), trouble }
}

/** Returns an item's listings as last read in the seller's tabs. */
async function copiesOf(context: WorkerContext, item: InventoryItem): Promise<Listing[]> {
  const keys = (item.record.channel_listings ?? []).map((one) => `${one.channel}:${one.listing_id}`)
  const cached = await (await context.importQueue()).listings.bulkGet(keys)
  return cached.flatMap((one) => (one && !one.unread ? [one.listing] : []))
}

/** Runs one step of a sync. Returns trouble instead of throwing, so pages can still show the cache. */
export async function sync(context: WorkerContext) {
  return context.locks.request('hapax-inventory-cache', async () => {
    const inventory = await context.inventory()
    const session = await readSession(context.store)
    const known = async () => (await inventory.sync.get('sync'))?.total ?? null
    const nothing = { changed: 0, more: false, of: await known(), total: await inventory.rows.count() }
    if (session?.status !== 'active') return { ...nothing, trouble: null }
    try {
      const step = await syncInventory({ inventory, call: context.clientOf(session), now: context.now })
      return { ...step, total: await inventory.rows.count(), trouble: null }
    } catch (error) {
      await endIfRefused(context, session, error)
      return { ...nothing, of: await known(), total: await inventory.rows.count(), trouble: wireError(error) }
    }
  })
}
