import type { Contention } from '#server/infra/db/transaction.ts'

/** Unique keys that another transaction may take between the read and the write of an import. */
export const importContention: Contention = {
  uniques: new Set(['inventory_item_sku_key', 'channel_listing_pkey', 'channel_listing_live_key']),
}
