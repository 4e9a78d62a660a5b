import type { Resolution } from '#shared/contract/imports.ts'

/** How a seller settles a conflict (spec 4.14). */
export interface Answer {
  resolution: Resolution
  inventory_item_uid?: string
  sku?: string
}
