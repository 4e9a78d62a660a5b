import { Listing } from '#shared/listing.ts'
import type { FieldSource, FieldSources, PageChanged } from './port.ts'

/** A place where a field may be found; undefined: it is not there, or not understood. */
export type Candidate<Value> = readonly [source: FieldSource, read: () => Value | undefined]

/** Reads fields from the first place that has them, and remembers which. `changed` makes the error for a missing one. */
export function pickFields(changed: (field: string, where: string) => PageChanged) {
  const sources: FieldSources = {}

  /** The first value that is there; undefined when none is. */
  function pick<Field extends keyof Listing>(
    field: Field,
    ...candidates: readonly Candidate<Listing[Field]>[]
  ): Listing[Field] | undefined {
    for (const [source, read] of candidates) {
      const value = read()
      if (value === undefined) continue
      sources[field] = source
      return value
    }
    return undefined
  }

  /** The same for a field that a listing cannot do without. `member`: the platform's word for it. */
  function need<Field extends keyof Listing>(
    field: Field,
    member: string,
    ...candidates: readonly Candidate<Listing[Field]>[]
  ): NonNullable<Listing[Field]> {
    const value = pick(field, ...candidates)
    if (value === undefined) throw changed(wordFor(field), member)
    return value as NonNullable<Listing[Field]>
  }

  /** The last look: what our own contract refuses is told as a changed page, with the member's name. */
  function finish(listing: Listing): { listing: Listing; sources: FieldSources } {
    const parsed = Listing.safeParse(listing)
    if (parsed.success) return { listing: parsed.data, sources }
    throw changed(wordFor(String(parsed.error.issues[0]?.path[0] ?? 'listing')), 'its size or form')
  }

  return { sources, pick, need, finish }
}

/** Our word for a field, as sellers read it. */
function wordFor(field: string): string {
  return field === 'price_minor' ? 'price' : field
}
