import { Dexie, type EntityTable } from 'dexie'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { InventoryRow } from './row.ts'

/**
 * Progress of the sync: a `full` pass reads everything, `changes` only updates. Both resume at their cursor. `idle` in
 * between.
 */
export interface SyncState {
  key: 'sync'
  phase: 'idle' | 'full' | 'changes'
  cursor: string | null
  /** For `changes`: start time as ISO text. */
  since: string | null
  /** Latest `updated_at` seen, by the server's clock, in epoch ms. */
  high: number
  pass: number
  /** How many items the server had when this pass began. Absent: it did not say. */
  total?: number
  /** Start of this pass and of the last full one, and end of the last one, by our clock in epoch ms. */
  began_at: number
  full_at: number
  ended_at: number
}

/**
 * A copy of the seller's inventory for search and tables offline. Disposable. A database of its own, so that pages can
 * read it beside the worker.
 */
export class InventoryCache extends Dexie {
  rows!: EntityTable<InventoryRow, 'uid'>
  /** Whole items, read one at a time. */
  items!: EntityTable<InventoryItem, 'uid'>
  sync!: EntityTable<SyncState, 'key'>

  constructor(name = 'hapax-inventory-cache') {
    super(name)
    this.version(1).stores({ rows: 'uid, pass', items: 'uid', sync: 'key' })
  }
}

/** Returns rows, newest first: all of them, or up to `limit`. */
export async function readRows(inventory: InventoryCache, limit?: number): Promise<InventoryRow[]> {
  if (limit !== undefined) return inventory.rows.reverse().limit(limit).toArray()
  return (await inventory.rows.toArray()).reverse()
}

/** Deletes everything, so that the next sync starts over. */
export async function emptyInventoryCache(inventory: InventoryCache): Promise<void> {
  await inventory.transaction('rw', inventory.tables, async () => {
    for (const table of inventory.tables) await table.clear()
  })
}

/** Returns true once a pass has finished. An empty cache then means an empty inventory. */
export async function wasSynced(inventory: InventoryCache): Promise<boolean> {
  return ((await inventory.sync.get('sync'))?.ended_at ?? 0) > 0
}
