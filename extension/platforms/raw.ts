import { z } from 'zod'

/** JSON, or undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The member at a path such as `catalog.department.name`; undefined when there is none. Paths are words of ours, which no object has by itself. */
export function at(value: unknown, path: string): unknown {
  let inner = value
  const keys = keysOf(path)
  for (let index = 0; index < keys.length; index++) {
    if (!isObject(inner)) return undefined
    inner = inner[keys[index]!]
  }
  return inner
}

/** Paths are a few dozen words of ours: each is cut once. */
const cut = new Map<string, string[]>()

function keysOf(path: string): string[] {
  let keys = cut.get(path)
  if (!keys) {
    keys = path.split('.')
    cut.set(path, keys)
  }
  return keys
}

/** Page text may hold anything: halves of characters and U+0000 are no text that a database takes. */
export function clean(text: string): string {
  return text.isWellFormed() && !text.includes('\u0000') ? text : text.toWellFormed().replaceAll('\u0000', '')
}

/** The value when it is a text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The value when it is a whole number from 0; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** The value when it is an https address; undefined for anything else. */
export function httpsOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // What pictures' addresses look like needs no closer look.
  if (/^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+\/[\w./?=&+-]*$/.test(value)) return value
  return URL.parse(value)?.protocol === 'https:' ? value : undefined
}

/** The value when it is a currency's code such as USD; undefined for anything else. */
export function currencyOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined
}

const dateTime = z.core.regexes.datetime({ offset: true })

/** The value when it is a date and time with its zone; undefined for anything else. */
export function dateTimeOf(value: unknown): string | undefined {
  return typeof value === 'string' && dateTime.test(value) ? value : undefined
}

/** The values, each once, when all of them are https addresses; undefined otherwise. */
export function allHttps(values: readonly unknown[]): string[] | undefined {
  const addresses: string[] = []
  for (const value of values) {
    const address = httpsOf(value)
    if (address === undefined) return undefined
    addresses.push(address)
  }
  return distinct(addresses)
}

/** Each value once, in their order. Looking through a few is quicker than a set of them, which is for hostile many. */
export function distinct(values: string[]): string[] {
  if (values.length > 50) return [...new Set(values)]
  return values.every((value, index) => values.indexOf(value) === index) ? values : [...new Set(values)]
}

/** Objects that say their id, each id once; all others as they are. */
export function distinctById(values: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>()
  return values.filter((value) => {
    const id = member(value, 'id')
    return id === undefined || (!seen.has(id) && seen.add(id))
  })
}

/** A text as a part of an address's path. Most are words of the site that are so already. */
export function inPath(text: string): string {
  return /^[\w.-]*$/.test(text) ? text : encodeURIComponent(text)
}

/** A member of what may be no object. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined
}

/** A short text, trimmed; undefined for an empty one and for anything that is no text. */
export function shortText(value: unknown, maxLength = 500): string | undefined {
  return typeof value === 'string' ? clean(value).trim().slice(0, maxLength).trim() || undefined : undefined
}

/** True for an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** How much of a page's state is searched for something that is not where it was. */
const maxSearched = 50_000

/** The first object, nearest to the top, that `matches`; null when there is none within reason. */
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
 * The list whose members all are entries, nearest to the top, where the list is not where it was. Null when there is
 * none, or more than one of them side by side: then none is more likely to be the right one.
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
 * The JSON in a page's script of this id, such as `__NEXT_DATA__`, found by its position in the text (40 times as fast
 * as a DOM). The sites escape `<` in it, so the first `</script` ends it. Undefined when it is not there or no JSON.
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

/** However it is written. */
function scriptOf(id: string): RegExp {
  return new RegExp(`<script[^<>]{0,500}\\bid=["']?${id}["'\\s>]`)
}
