import { cleanText } from '#server/catalog/inventory/clean.ts'
import { Listing, ListingFailure } from '#shared/listing.ts'

/** JSON escapes of U+0000 and of lone surrogates, neither of which PostgreSQL stores. */
const unstorable = /\\u(0000|d[89a-f])/

/**
 * What an adapter or the extension handed over, as something that can be stored: texts that PostgreSQL refuses are
 * cleaned, and a listing that does not fit its shape (ten megabytes of title) becomes a failure in its place, never a
 * stopped job.
 */
export function admitListing(given: Listing | ListingFailure): Listing | ListingFailure {
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
