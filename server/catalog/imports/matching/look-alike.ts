import type { Match, MatchReason } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'

/** An existing item, with what a decision needs. */
export interface KnownItem {
  uid: string
  title: string
  state: Availability
}

/** An item of another platform that looks like the listing, with reasons (the matcher). */
export interface LookAlike {
  item: KnownItem
  verdict: 'surely' | 'possibly'
  reasons: string[]
  /** The reasons again, exact about what is the same. */
  agreeing: MatchReason[]
  /** Whether photos of the two are still to be compared, or one cannot be read. */
  photos?: Match['photos']
}

/** Returns how well a look-alike agrees: better by the matcher's verdict, then by what is close, and by what is the same. */
export const rankOf = ({ verdict, reasons, agreeing }: LookAlike): number =>
  (verdict === 'surely' ? 100 : 0) + reasons.length + agreeing.filter((reason) => reason.startsWith('same_')).length
