import type { InventoryCache, SyncState } from '#extension/storage/inventory-cache/database.ts'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import type { Client } from '#shared/client/declared-client.ts'
import { type InventoryItem, listInventory } from '#shared/contract/catalog/inventory.ts'

/** How often a full pass runs in any case, in ms. */
const fullEveryMs = 24 * 3_600_000

/** Overlap of incremental passes in ms, for transactions that commit late. */
const overlapMs = 120_000

interface SyncDeps {
  inventory: InventoryCache
  call: Client
  now: () => number
}

/**
 * `changed` counts new, changed and deleted rows. `more`: the pass continues; call again. `of`: how many items the server
 * has, if it has said so.
 */
interface SyncStep {
  changed: number
  more: boolean
  of: number | null
}

/**
 * Reads up to `pages` pages of changes into the inventory cache. Each page and the new cursor are stored in one
 * transaction, so a killed worker resumes at the same page. Never compares the server's clock with ours. The caller
 * holds the lock.
 */
export async function syncInventory({ inventory, call, now }: SyncDeps, pages = 10): Promise<SyncStep> {
  let state = begin((await inventory.sync.get('sync')) ?? null, now())
  let changed = 0
  for (let page = 0; page < pages; page++) {
    const { results, next_cursor, total } = await call(listInventory, {
      query: {
        page_size: '100',
        ...(state.cursor ? {} : { total: 'true' }),
        ...(state.cursor ? { cursor: state.cursor } : {}),
        ...(state.since ? { updated_since: state.since } : {}),
      },
    })
    const high = Math.max(state.high, ...results.map((item) => Date.parse(item.updated_at)))
    if (total !== undefined) state.total = total
    const after: SyncState = next_cursor ? { ...state, high, cursor: next_cursor } : end({ ...state, high }, now())
    changed += await keep(inventory, results, state, after)
    const more = state.phase === 'changes' && after.phase === 'idle' && (await isOneGone(inventory, after))
    state = after
    if (state.phase === 'idle') return { changed, more, of: state.total ?? null }
  }
  return { changed, more: true, of: state.total ?? null }
}

/**
 * Returns whether there are more rows than the server has items, since some were deleted elsewhere. The next pass then
 * reads everything.
 */
async function isOneGone(inventory: InventoryCache, state: SyncState): Promise<boolean> {
  const isMore = state.total !== undefined && (await inventory.rows.count()) > state.total
  if (isMore) await inventory.sync.put({ ...state, full_at: 0 })
  return isMore
}

/** Stores one item, or removes it if null. */
export async function storeCachedItem(
  inventory: InventoryCache,
  uid: string,
  item: InventoryItem | null,
): Promise<void> {
  await inventory.transaction('rw', inventory.rows, inventory.items, inventory.sync, async () => {
    const pass = (await inventory.sync.get('sync'))?.pass ?? 0
    if (item) {
      await inventory.rows.put(rowOf(item, pass))
      await inventory.items.put(item)
    } else {
      await inventory.rows.delete(uid)
      await inventory.items.delete(uid)
    }
  })
}

function begin(state: SyncState | null, now: number): SyncState {
  if (state && state.phase !== 'idle') return state
  const full = !state || now - state.full_at > fullEveryMs
  return {
    key: 'sync',
    phase: full ? 'full' : 'changes',
    cursor: null,
    since: full ? null : new Date(state.high - overlapMs).toISOString(),
    high: state?.high ?? 0,
    pass: (state?.pass ?? 0) + (full ? 1 : 0),
    ...(state?.total === undefined ? {} : { total: state.total }),
    began_at: now,
    full_at: full ? now : state.full_at,
    ended_at: state?.ended_at ?? 0,
  }
}

/**
 * Ends a pass. Items that changed during it have later timestamps, so the high-water mark moves back by the pass's
 * duration.
 */
function end(state: SyncState, now: number): SyncState {
  const took = Math.max(0, now - state.began_at)
  return { ...state, phase: 'idle', cursor: null, since: null, high: Math.max(0, state.high - took), ended_at: now }
}

async function keep(
  inventory: InventoryCache,
  items: InventoryItem[],
  state: SyncState,
  after: SyncState,
): Promise<number> {
  return inventory.transaction('rw', inventory.rows, inventory.items, inventory.sync, async () => {
    const before = await inventory.rows.bulkGet(items.map((item) => item.uid))
    const rows = items.map((item) => rowOf(item, state.pass))
    const different = items.filter((item, index) => {
      const known = before[index]
      return known?.version !== item.version || known.updated_at !== rows[index]?.updated_at
    })
    // A full pass marks every row as seen, even unchanged ones.
    await inventory.rows.bulkPut(rows)
    await inventory.items.bulkPut(different)
    let gone = 0
    if (state.phase === 'full' && after.phase === 'idle') {
      const old = await inventory.rows.where('pass').below(state.pass).primaryKeys()
      await inventory.rows.bulkDelete(old)
      await inventory.items.bulkDelete(old)
      gone = old.length
    }
    await inventory.sync.put(after)
    return different.length + gone
  })
}
