import type { Queries } from '#server/infra/db/index.ts'
import type { ListingReadBack } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import { hashOf, valuesOfListing } from './compare-listing.ts'
import type { FieldValue } from './field-value.ts'
import * as sql from './queries.ts'

/**
 * Records what a listing has otherwise than it was sent as differences, and ends those of fields that agree. Fields that
 * Hapax is about to send again are left alone.
 */
export async function recordReadBack(_services: unknown, tx: Queries, shown: ListingReadBack): Promise<void> {
  const { user_id, seller_account_uid, listing_id, read } = shown
  const listing = await tx.oneOrNone(sql.findBeingSent({ user_id, seller_account_uid, listing_id }))
  if (!listing || !read.listing) return
  const values = valuesOfListing(read.listing)
  const rows = read.compared.flatMap((field) => {
    if (listing.fields.includes(field === 'photos' ? 'images' : field)) return []
    const change = read.changes.find((one) => one.field === field)
    if (!change) return [{ listing_id, field }]
    const own: FieldValue | null | undefined = field in values ? values[field as keyof typeof values] : undefined
    const theirs = own ?? change.theirs
    const uid = newOrderedId('dif')
    return [{ uid, listing_id, field, theirs, theirs_hash: hashOf(field, theirs), state: 'open', sent: change.sent }]
  })
  if (rows.length > 0) await tx.none(sql.writeDifferences({ user_id, seller_account_uid, rows: JSON.stringify(rows) }))
}
