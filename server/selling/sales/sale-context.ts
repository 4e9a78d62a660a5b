import type { Transaction } from '#server/infra/db/index.ts'
import type { NewEvent } from '#server/webhooks/emit.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Candidate } from './ask-which-item.ts'
import type { LineBefore, LineState, SaleOutcome } from './decide-sale.ts'
import type { Evidence, ReportedLine, ReportedOrder, SalePlace } from './observed-sale.ts'
import type { Claim } from './plan-line.ts'

/** A locked row of inventory_item, updated as the item moves. */
export interface ItemRow {
  uid: string
  title: string
  state: Availability
  version: number
  price_minor: number
  currency: string
  /** The item that it was merged into. */
  redirect_uid: string | null
}

/** A line that claims the item, with the fields of its order that messages need. */
export interface ClaimRow extends Claim {
  order_uid: string
  external_line_id: string
  matched_by: string | null
  listing_id: string
  price_minor: number
  currency: string
  platform: SalePlace
  source: ReportedOrder['source']
  external_order_id: string
  seller_account_uid: string | null
  ordered_at: string
}

/** The result for one line. */
export interface RecordedLine {
  external_line_id: string
  outcome: SaleOutcome
  state: LineState
  item_uid: string | null
  /** Platforms where other listings of the item are being taken down. */
  taking_down: PlatformSlug[]
}

/** A reported order that is stored, so that it has a uid. */
export type SavedOrder = ReportedOrder & { uid: string }

/** An order line being recorded, with everything that was read for it under lock. */
export interface SaleContext {
  tx: Transaction
  user_id: number
  key: string
  order: SavedOrder
  line: ReportedLine
  match: { item_uid: string | null; matched_by: string | null; candidates?: Candidate[] } | null
  item: ItemRow | null
  before: LineBefore | null
  claims: readonly ClaimRow[]
  evidence: Evidence
  /** Emitted when all lines are done. */
  events: NewEvent[]
}

/** Returns the claim of a plan's key. */
export function claimOf(claims: readonly ClaimRow[], key: string): ClaimRow {
  const claim = claims.find((one) => one.key === key)
  if (!claim) throw new Error(`no claim ${key} among those that the plan was made from`)
  return claim
}
