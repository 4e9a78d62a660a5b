import type { Stock, SyncState } from '#extension/storage/inventory-cache/database.ts'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import type { Client } from '#shared/contract/client.ts'
import { type InventoryItem, listInventory } from '#shared/contract/inventory.ts'

/** A full walk finds what was deleted; it is made this often, in milliseconds. */
const fullEveryMs = 24 * 3_600_000

/** What is committed late carries an earlier time: so much is read again, in milliseconds. */
const overlapMs = 120_000

export interface SyncDeps {
  stock: Stock
  call: Client
  now: () => number
}

/** `changed` counts rows that are new, different or gone; `more`: the walk goes on, ask again. */
export interface SyncStep {
  changed: number
  more: boolean
}

/**
 * Reads up to `pages` pages of what is new in the inventory into the stock. Everything that a page brings and where the
 * walk stands is written in one transaction: a worker that dies loses nothing and goes on at the same page. The
 * server's clock is never compared with ours. Throws what the client throws; one at a time (the caller holds the lock).
 */
export async function syncStock({ stock, call, now }: SyncDeps, pages = 10): Promise<SyncStep> {
  let state = begin((await stock.sync.get('sync')) ?? null, now())
  let changed = 0
  for (let page = 0; page < pages; page++) {
    const { results, next_cursor } = await call(listInventory, {
      query: {
        page_size: '100',
        ...(state.cursor ? { cursor: state.cursor } : {}),
        ...(state.since ? { updated_since: state.since } : {}),
      },
    })
    const high = Math.max(state.high, ...results.map((item) => Date.parse(item.updated_at)))
    const after: SyncState = next_cursor ? { ...state, high, cursor: next_cursor } : end({ ...state, high }, now())
    changed += await keep(stock, results, state, after)
    state = after
    if (state.phase === 'idle') return { changed, more: false }
  }
  return { changed, more: true }
}

/** Takes a single item over, such as one that was just read; null: it is gone. */
export async function keepItem(stock: Stock, uid: string, item: InventoryItem | null): Promise<void> {
  await stock.transaction('rw', stock.rows, stock.items, stock.sync, async () => {
    const walk = (await stock.sync.get('sync'))?.walk ?? 0
    if (item) {
      await stock.rows.put(rowOf(item, walk))
      await stock.items.put(item)
    } else {
      await stock.rows.delete(uid)
      await stock.items.delete(uid)
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
    walk: (state?.walk ?? 0) + (full ? 1 : 0),
    began_at: now,
    full_at: full ? now : state.full_at,
    ended_at: state?.ended_at ?? 0,
  }
}

/**
 * The end of a walk. What changed behind it, while it went on, has a time later than its beginning: by so much as it
 * took, the mark is put back.
 */
function end(state: SyncState, now: number): SyncState {
  const took = Math.max(0, now - state.began_at)
  return { ...state, phase: 'idle', cursor: null, since: null, high: Math.max(0, state.high - took), ended_at: now }
}

async function keep(stock: Stock, items: InventoryItem[], state: SyncState, after: SyncState): Promise<number> {
  return stock.transaction('rw', stock.rows, stock.items, stock.sync, async () => {
    const before = await stock.rows.bulkGet(items.map((item) => item.uid))
    const rows = items.map((item) => rowOf(item, state.walk))
    const different = items.filter((item, index) => {
      const known = before[index]
      return known?.version !== item.version || known.updated_at !== rows[index]?.updated_at
    })
    // Every row of a full walk is noted as seen, though it is the same.
    await stock.rows.bulkPut(rows)
    await stock.items.bulkPut(different)
    let gone = 0
    if (state.phase === 'full' && after.phase === 'idle') {
      const old = await stock.rows.where('walk').below(state.walk).primaryKeys()
      await stock.rows.bulkDelete(old)
      await stock.items.bulkDelete(old)
      gone = old.length
    }
    await stock.sync.put(after)
    return different.length + gone
  })
}
