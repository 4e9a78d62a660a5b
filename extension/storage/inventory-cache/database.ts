import { Dexie, type EntityTable } from 'dexie'
import type { InventoryItem } from '#shared/contract/inventory.ts'
import type { InventoryRow } from './row.ts'

/**
 * How far the inventory was read: `full` walks over everything, `changes` over what changed since, each page by page
 * and resumed at its cursor; `idle` between them.
 */
export interface SyncState {
  key: 'sync'
  phase: 'idle' | 'full' | 'changes'
  cursor: string | null
  /** Of `changes`: since when, ISO. */
  since: string | null
  /** Latest `updated_at` that was seen, as the server's clock has it, epoch ms. */
  high: number
  pass: number
  /** When the walk that is under way, and the last full one, began; the last one ended. Our clock, epoch ms. */
  began_at: number
  full_at: number
  ended_at: number
}

/**
 * The seller's inventory as it was last read, for search and tables without a network. A copy of what the server has:
 * thrown away at any trouble and read again. Its own database, so that the pages may read it beside the worker.
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

/** All rows, newest first. */
export async function readRows(inventory: InventoryCache): Promise<InventoryRow[]> {
  return (await inventory.rows.toArray()).reverse()
}

/** Deletes everything, so that the next sync begins anew. */
export async function emptyInventoryCache(inventory: InventoryCache): Promise<void> {
  await inventory.transaction('rw', inventory.tables, async () => {
    for (const table of inventory.tables) await table.clear()
  })
}

/** True when the inventory was read to its end at some time: an empty stock then means an empty inventory. */
export async function wasSynced(inventory: InventoryCache): Promise<boolean> {
  return ((await inventory.sync.get('sync'))?.ended_at ?? 0) > 0
}
