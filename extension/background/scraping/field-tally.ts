import type { FieldSources } from '#extension/platforms/port.ts'
import type { FieldTally } from '#extension/storage/import-queue/field-tally.ts'
import { type Changed, fieldUnread } from '#shared/import-issues.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'

/** Optional fields whose loss a seller would notice. */
const watched = [
  'description',
  'images',
  'sku',
  'brand',
  'size',
  'condition',
  'category',
  'colors',
  'quantity',
] as const satisfies readonly (keyof Listing)[]

/** Adds new listings to a tally. `before`: the listing as previously read. */
export function countFields(
  tally: FieldTally,
  read: readonly { listing: Listing; sources: FieldSources | null; before: Listing | undefined }[],
): FieldTally {
  const counted: FieldTally = { ...tally }
  for (const field of watched) {
    const count = { unread: 0, absent: 0, lesser: 0, had: 0, dropped: 0, ...tally[field] }
    for (const { listing, sources, before } of read) {
      const source = sources?.[field]
      if (source === 'unread' || source === 'absent' || source === 'lesser') count[source]++
      if (sizeOf(before?.[field]) === 0) continue
      count.had++
      if (isLess(listing[field], before?.[field]) || (field === 'category' && isWider(listing, before))) count.dropped++
    }
    if (Object.values(count).some((number) => number > 0)) counted[field] = count
  }
  return counted
}

function isLess(now: Listing[keyof Listing], before: Listing[keyof Listing]): boolean {
  return Array.isArray(now) ? now.length < sizeOf(before) : sizeOf(now) === 0
}

/** "Women > Jackets" is wider than "Women > Jackets > Vests". */
function isWider(now: Listing, before: Listing | undefined): boolean {
  const category = now.category ?? ''
  return before?.category !== category && Boolean(before?.category?.startsWith(category))
}

/** Returns 0 for an empty value. */
function sizeOf(value: Listing[keyof Listing] | undefined): number {
  if (value === undefined) return 0
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1
}

/**
 * Returns failures for fields that were lost across a scrape of `listings`. Fields that are present but not understood
 * always count. Absent or lesser fields count from a quarter of the listings. Fields that earlier readings had count
 * from a tenth, pictures from a twentieth, and at least two.
 */
export function fieldFailures(tally: FieldTally, listings: number, changed: Changed): ListingFailure[] {
  return watched.flatMap((field) => {
    const count = tally[field]
    if (!count) return []
    const isCommon = (number: number, of: number) => number > 0 && number * 4 >= of
    const unread = count.unread + (isCommon(count.absent, listings) ? count.absent : 0)
    const lesser = field === 'images' || isCommon(count.lesser, listings) ? count.lesser : 0
    const share = field === 'images' ? 20 : 10
    const dropped = count.dropped > 1 && count.dropped * share >= count.had ? count.dropped : 0
    const lost = Math.max(unread + lesser, dropped)
    return lost > 0 ? [fieldUnread(changed, field, { unread: lost, listings: Math.max(listings, lost) })] : []
  })
}
