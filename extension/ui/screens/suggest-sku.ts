import type { Comparison } from '#extension/messaging/protocol.ts'

/**
 * The SKU that "two things" begins with: the listing's own, or one like it where the item that it is in conflict with has
 * that. `needed`: without one the server makes no second item.
 */
export function suggestSku({ item, mine }: Pick<Comparison, 'item' | 'mine'>): { sku: string; needed: boolean } {
  const sku = item.external_sku
  const isTaken = item.conflict_type === 'duplicate_sku' || (sku !== '' && mine?.sku === sku)
  return { sku: isTaken && sku ? `${sku}-2` : sku, needed: isTaken || item.conflict_type === 'missing_sku' }
}
