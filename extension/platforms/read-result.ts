import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type FieldSources, PageChanged, type ReadResult } from './port.ts'

/** A listing that was read, with the source of each of its fields. */
export interface ReadListing {
  listing: Listing
  sources: FieldSources
}

/** Builds the result of an answer. */
export function resultOf(
  cursor: object,
  read: readonly ReadListing[] = [],
  failures: readonly ListingFailure[] = [],
): ReadResult {
  return {
    cursor: JSON.stringify(cursor),
    listings: read.map(({ listing }) => listing),
    failures: [...failures],
    sources: Object.fromEntries(read.map(({ listing, sources }) => [listing.listing_id, sources])),
  }
}

/** Returns what `read` returns, or the change of the page that it throws. */
export function readIfUnchanged(read: () => ReadListing): ReadListing | PageChanged {
  try {
    return read()
  } catch (error) {
    if (error instanceof PageChanged) return error
    throw error
  }
}
