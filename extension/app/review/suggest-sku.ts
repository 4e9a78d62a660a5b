import type { ImportItem } from '#shared/contract/catalog/imports.ts'

/**
 * Suggests a SKU for a separate item: the listing's own, or a variant if the compared item has it. `needed`: the server
 * requires one.
 */
export function suggestSku({
  item,
  mine,
}: {
  item: Pick<ImportItem, 'conflict_type' | 'external_sku'>
  mine: { sku: string | null } | null
}): { sku: string; needed: boolean } {
  const sku = item.external_sku
  const isTaken = item.conflict_type === 'duplicate_sku' || (sku !== '' && mine?.sku === sku)
  return { sku: isTaken && sku ? `${sku}-2` : sku, needed: isTaken || item.conflict_type === 'missing_sku' }
}
