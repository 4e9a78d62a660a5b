import type { Listing } from '#shared/listing.ts'
import type { FieldSources } from './port.ts'
import { isObject } from './raw.ts'

/** True where a member says that there is nothing: null, an empty text, an empty list, or an object of such members. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === 0 || value === false) return true
  if (typeof value === 'string') return value.trim() === ''
  return isObject(value) && Object.values(value).every(isEmpty)
}

/**
 * Marks an optional field that was not read: `unread` where one of its places holds something, `absent` where none of
 * them is there although `isNormal` says that every listing of the platform has one. A place is an object and the name
 * of its member. A field that was read, or that the platform says is empty, stays as it is.
 */
export function markUnread(
  sources: FieldSources,
  field: keyof Listing,
  places: readonly (readonly [object: unknown, key: string])[],
  isNormal: boolean,
): void {
  if (sources[field] !== undefined || places.length === 0) return
  const held = places.flatMap(([object, key]) => (isObject(object) && Object.hasOwn(object, key) ? [object[key]] : []))
  if (held.some((value) => !isEmpty(value))) sources[field] = 'unread'
  else if (held.length === 0 && isNormal) sources[field] = 'absent'
}

/** Marks fields of a listing of which nothing but its page's elements was read. */
export function markAbsent(sources: FieldSources, fields: readonly (keyof Listing)[]): void {
  for (const field of fields) sources[field] ??= 'absent'
}

/** Members that a changed page may have lost. A listing that lacks more of them is a short form. */
const fewAbsent = 2

/** Takes the marks back from a listing that lacks most of what a whole one has: absent fields, and short words for them. */
export function forgiveShortForm(sources: FieldSources): void {
  const absent = (Object.keys(sources) as (keyof Listing)[]).filter((field) => sources[field] === 'absent')
  if (absent.length <= fewAbsent) return
  for (const field of absent) delete sources[field]
  for (const field of ['size', 'category'] as const) if (sources[field] === 'lesser') sources[field] = 'api'
}
