import type { Comparison } from '#extension/messaging/protocol.ts'

/**
 * Suggests a SKU for a separate item: the listing's own, or a variant if the compared item has it. `needed`: the server
 * requires one.
 */
export function suggestSku({ item, mine }: Pick<Comparison, 'item' | 'mine'>): { sku: string; needed: boolean } {
  const sku = item.external_sku
  const isTaken = item.conflict_type === 'duplicate_sku' || (sku !== '' && mine?.sku === sku)
  return { sku: isTaken && sku ? `${sku}-2` : sku, needed: isTaken || item.conflict_type === 'missing_sku' }
}
