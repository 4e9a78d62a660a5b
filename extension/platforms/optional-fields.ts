import type { Listing } from '#shared/listing.ts'
import type { FieldSources } from './port.ts'
import { isObject } from './raw.ts'

/** Returns true for null, 0, false, an empty text, an empty list, or an object of empty members. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === 0 || value === false) return true
  if (typeof value === 'string') return value.trim() === ''
  return isObject(value) && Object.values(value).every(isEmpty)
}

/**
 * Marks an optional field that was not read. A place is an object and the name of its member.
 * The mark is `unread` if a place holds a value. It is `absent` if no place exists although `isNormal` expects one.
 * Fields that were read, or that are explicitly empty, stay unchanged.
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

/** Marks the optional fields of a listing that was read from page elements only. */
export function markAbsent(sources: FieldSources, fields: readonly (keyof Listing)[]): void {
  for (const field of fields) sources[field] ??= 'absent'
}

/** Absent fields that a changed page explains. A listing that lacks more is a short form. */
const fewAbsent = 2

/** Removes the `absent` and `lesser` marks from a short-form listing, which normally lacks these fields. */
export function forgiveShortForm(sources: FieldSources): void {
  const absent = (Object.keys(sources) as (keyof Listing)[]).filter((field) => sources[field] === 'absent')
  if (absent.length <= fewAbsent) return
  for (const field of absent) delete sources[field]
  for (const field of ['size', 'category'] as const) if (sources[field] === 'lesser') sources[field] = 'api'
}
