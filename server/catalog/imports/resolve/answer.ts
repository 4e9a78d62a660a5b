import type { Resolution } from '#shared/contract/catalog/imports.ts'

/** A seller's answer to a conflict. */
export interface Answer {
  resolution: Resolution
  inventory_item_uid?: string
  sku?: string
}
