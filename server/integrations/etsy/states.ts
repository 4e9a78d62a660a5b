/** Etsy's states of a listing that nobody can buy. The last three are old words, which answers still have. */
const downStates = new Set(['inactive', 'draft', 'edit', 'removed', 'unavailable'])

/** Returns a listing's state for buyers, null for an unknown one. A sold-out listing may still be called active. */
export function stateForBuyers(state: string, left: number | null): 'live' | 'sold' | 'expired' | 'ended' | null {
  if (state === 'active') return left === 0 ? 'sold' : 'live'
  if (state === 'sold_out') return 'sold'
  if (state === 'expired') return 'expired'
  return downStates.has(state) ? 'ended' : null
}
