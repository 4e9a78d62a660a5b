import { z } from 'zod'

/** Parses JSON. Returns undefined for invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the member at a path such as `catalog.department.name`, or undefined. Paths are constants in our code. */
export function at(value: unknown, path: string): unknown {
  let inner = value
  const keys = keysOf(path)
  for (let index = 0; index < keys.length; index++) {
    if (!isObject(inner)) return undefined
    inner = inner[keys[index]!]
  }
  return inner
}

/** The keys of the few dozen constant paths. */
const keysByPath = new Map<string, string[]>()

function keysOf(path: string): string[] {
  let keys = keysByPath.get(path)
  if (!keys) {
    keys = path.split('.')
    keysByPath.set(path, keys)
  }
  return keys
}

/** Removes U+0000 and lone surrogates, which PostgreSQL rejects. */
export function clean(text: string): string {
  return text.isWellFormed() && !text.includes('\u0000') ? text : text.toWellFormed().replaceAll('\u0000', '')
}

/** Returns the value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns the value if it is a non-negative integer. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** Returns the value if it is an https URL. */
function httpsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // Fast path for typical picture URLs.
  if (/^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+\/[\w./?=&+-]*$/.test(value)) return value
  return URL.parse(value)?.protocol === 'https:' ? value : undefined
}

/** Returns the value if it is a currency code such as USD. */
export function currencyOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined
}

const dateTime = /* @__PURE__ */ z.core.regexes.datetime({ offset: true })

/** Returns the value if it is an ISO date and time with an offset. */
export function dateTimeOf(value: unknown): string | undefined {
  return typeof value === 'string' && dateTime.test(value) ? value : undefined
}

/** Returns the distinct URLs if all values are https URLs. */
export function allHttps(values: readonly unknown[]): string[] | undefined {
  const addresses: string[] = []
  for (const value of values) {
    const address = httpsOf(value)
    if (address === undefined) return undefined
    addresses.push(address)
  }
  return distinct(addresses)
}

/** Removes duplicates, keeping the order. `indexOf` is faster for short lists; a set handles hostile long ones. */
export function distinct(values: string[]): string[] {
  if (values.length > 50) return [...new Set(values)]
  return values.every((value, index) => values.indexOf(value) === index) ? values : [...new Set(values)]
}

/** Removes objects with a repeated id. Values without an id stay. */
export function distinctById(values: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>()
  return values.filter((value) => {
    const id = member(value, 'id')
    return id === undefined || (!seen.has(id) && seen.add(id))
  })
}

/** Encodes a text as a URL path segment. Most texts need no encoding. */
export function inPath(text: string): string {
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text)
}

/** Returns a member of the value, or undefined if it is no object. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

/** Returns a trimmed text of at most `maxLength` characters, or undefined if it is empty or no string. */
export function shortText(value: unknown, maxLength = 500): string | undefined {
  return typeof value === 'string' ? clean(value).trim().slice(0, maxLength).trim() || undefined : undefined
}

/** Returns true for an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Maximum number of objects that a search visits. */
const maxSearched = 50_000

/** Returns the first object nearest to the top that `matches`, or null. */
export function findObject(
  value: unknown,
  matches: (object: Record<string, unknown>) => boolean,
): Record<string, unknown> | null {
  let level = [value].filter(isObject)
  for (let seen = 0; level.length > 0 && seen < maxSearched; seen += level.length) {
    const found = level.find(matches)
    if (found) return found
    level = level.flatMap((object) => Object.values(object).filter(isObject))
  }
  return null
}

/**
 * Returns the list nearest to the top whose members are all entries. Returns null if none exists, or if several are at
 * the same depth, because then no list is more likely to be right.
 */
export function findList(value: unknown, isEntry: (member: unknown) => boolean): unknown[] | null {
  let level = [value].filter(isObject)
  for (let seen = 0; level.length > 0 && seen < maxSearched; seen += level.length) {
    const lists = level.filter((one): one is unknown[] & Record<string, unknown> => {
      return Array.isArray(one) && one.length > 0 && one.every(isEntry)
    })
    if (lists.length > 0) return lists.length === 1 ? lists[0]! : null
    level = level.flatMap((object) => Object.values(object).filter(isObject))
  }
  return null
}

/**
 * Parses the JSON of a page's script with this id, such as `__NEXT_DATA__`. String search is 40 times as fast as a DOM
 * (`e2e/lab/bench/parse.bench.ts`). The sites escape `<` in the JSON, so the first `</script` ends it. Returns undefined
 * if it is missing or invalid.
 */
export function findScriptJson(html: string, id: string): unknown {
  const named = html.indexOf(`id="${id}"`)
  const tag = named < 0 ? -1 : html.lastIndexOf('<', named)
  const start = tag >= 0 && html.startsWith('<script ', tag) ? tag : html.search(scriptOf(id))
  if (start < 0) return undefined
  const open = html.indexOf('>', start)
  const end = html.indexOf('</script', open)
  return open < 0 || end < 0 ? undefined : parseJson(html.slice(open + 1, end))
}

/** Matches the script tag with any attribute order and quoting. */
function scriptOf(id: string): RegExp {
  return new RegExp(`<script[^<>]{0,500}\\bid=["']?${id}["'\\s>]`)
}

/** Decodes a part of a path; one that is not encoded as it should be stays. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
