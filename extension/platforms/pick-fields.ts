import { Listing } from '#shared/listing.ts'
import { fitsListing } from './fits-listing.ts'
import type { FieldSource, FieldSources, PageChanged } from './port.ts'
import type { ReadListing } from './read-result.ts'

/**
 * Picks each field from the first place that has it and records the source. Callers chain places with `??`, so a later
 * place is evaluated only if the earlier ones return undefined. `changed` creates the error for a missing field, and `page`
 * reads the elements of the listing's page, which are the last place.
 */
export function pickFields<Page>(changed: (field: string, where: string) => PageChanged, page: () => Page | null) {
  const sources: FieldSources = {}

  /** Records `source` for the field and returns the value, unless it is undefined. */
  function from<Field extends keyof Listing>(
    field: Field,
    source: FieldSource,
    value: Listing[Field] | undefined,
  ): Listing[Field] | undefined {
    if (value !== undefined) sources[field] = source
    return value
  }

  /** Returns the first value that `read` finds in these places. */
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

  /** Returns what `read` finds in the elements of the page. */
  function shown<Field extends keyof Listing>(
    field: Field,
    read: (elements: Page) => Listing[Field] | undefined,
  ): Listing[Field] | undefined {
    const elements = page()
    return elements ? from(field, 'elements', read(elements)) : undefined
  }

  /** Returns a required value or throws. `member` is the platform's name for the field. */
  function need<Field extends keyof Listing>(
    field: Field,
    member: string | (() => string),
    value: Listing[Field] | undefined,
  ): NonNullable<Listing[Field]> {
    if (value === undefined) throw changed(wordFor(field), typeof member === 'string' ? member : member())
    return value as NonNullable<Listing[Field]>
  }

  /** Checks the listing against our schema. A violation counts as a changed page and names the field. */
  function finish(listing: Listing): ReadListing {
    if (fitsListing(listing)) return { listing, sources }
    const parsed = Listing.safeParse(listing)
    if (parsed.success) return { listing: parsed.data, sources }
    throw changed(wordFor(String(parsed.error.issues[0]?.path[0] ?? 'listing')), 'its size or form')
  }

  return { sources, from, first, shown, need, finish }
}

/** Returns the field name that sellers see. */
function wordFor(field: string): string {
  return field === 'price_minor' ? 'price' : field
}
