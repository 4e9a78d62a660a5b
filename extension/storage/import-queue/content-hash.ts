import type { Listing } from '#shared/listing.ts'

/** Returns the SHA-256 (hex) of a listing's content, independent of member order. */
export async function contentHash(listing: Listing): Promise<string> {
  const members = Object.entries(listing).filter(([, value]) => value !== undefined)
  const text = JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
