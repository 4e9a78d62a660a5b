import type { Resolution } from '#shared/contract/imports.ts'

/** A seller's answer to a conflict (spec 4.14). */
export interface Answer {
  resolution: Resolution
  inventory_item_uid?: string
  sku?: string
}
