import { cleanText } from '#server/catalog/inventory/clean.ts'
import { Listing, ListingFailure } from '#shared/listing.ts'

/** JSON escapes of U+0000 and lone surrogates, which PostgreSQL cannot store. */
const unstorable = /\\u(0000|d[89a-f])/

/**
 * Makes a listing from an adapter or the extension storable. Cleans texts that PostgreSQL refuses. A listing that does
 * not fit its schema becomes a failure in its place instead of stopping the job.
 */
export function sanitizeListing(given: Listing | ListingFailure): Listing | ListingFailure {
  const found = unstorable.test(JSON.stringify(given)) ? cleanDeep(given) : given
  const parsed = ('error_code' in found ? ListingFailure : Listing).safeParse(found)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const { listing_id, title } = found as Partial<Record<string, unknown>>
  return {
    listing_id: String(listing_id ?? '').slice(0, 200) || 'unknown',
    ...(typeof title === 'string' ? { title: title.slice(0, 500) } : {}),
    error_code: 'record_invalid',
    error_message: `${issue?.path.join('.') || 'listing'}: ${issue?.message ?? 'is not understood'}`.slice(0, 500),
  }
}

function cleanDeep<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' ? cleanText(member) : member,
  ) as Value
}
