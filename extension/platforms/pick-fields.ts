import { Listing } from '#shared/listing.ts'
import { fitsListing } from './fits-listing.ts'
import type { FieldSource, FieldSources, PageChanged } from './port.ts'

/**
 * Reads fields from the first place that has them, and remembers which: candidates are tried one after the other by
 * `??`, so that a later place is only looked at where the earlier ones say nothing. `changed` makes the error for a
 * missing one.
 */
export function pickFields(changed: (field: string, where: string) => PageChanged) {
  const sources: FieldSources = {}

  /** The value as found in `source`; undefined: it is not there, or not understood. */
  function from<Field extends keyof Listing>(
    field: Field,
    source: FieldSource,
    value: Listing[Field] | undefined,
  ): Listing[Field] | undefined {
    if (value !== undefined) sources[field] = source
    return value
  }

  /** The first value that `read` finds in these places, in their order. */
  function first<Field extends keyof Listing, Raw>(
    field: Field,
    places: readonly (readonly [FieldSource, Raw])[],
    read: (raw: Raw) => Listing[Field] | undefined,
  ): Listing[Field] | undefined {
    for (const place of places) {
      const value = read(place[1])
      if (value === undefined) continue
      sources[field] = place[0]
      return value
    }
    return undefined
  }

  /** The value of a field that a listing cannot do without. `member`: the platform's word for it. */
  function need<Field extends keyof Listing>(
    field: Field,
    member: string | (() => string),
    value: Listing[Field] | undefined,
  ): NonNullable<Listing[Field]> {
    if (value === undefined) throw changed(wordFor(field), typeof member === 'string' ? member : member())
    return value as NonNullable<Listing[Field]>
  }

  /** The last look: what our own contract refuses is told as a changed page, with the member's name. */
  function finish(listing: Listing): { listing: Listing; sources: FieldSources } {
    if (fitsListing(listing)) return { listing, sources }
    const parsed = Listing.safeParse(listing)
    if (parsed.success) return { listing: parsed.data, sources }
    throw changed(wordFor(String(parsed.error.issues[0]?.path[0] ?? 'listing')), 'its size or form')
  }

  return { sources, from, first, need, finish }
}

/** Our word for a field, as sellers read it. */
function wordFor(field: string): string {
  return field === 'price_minor' ? 'price' : field
}
