import { problem } from '#server/infra/errors.ts'
import type { WayIn } from '#server/infra/ways-in/ways-in.ts'

export type JsonBounds = Required<Pick<WayIn, 'depth' | 'parts'>>

/**
 * Parses a body. It refuses what parsers accept but causes harm later: many members, which cost most, duplicate members,
 * deep nesting, U+0000 and lone surrogates, which PostgreSQL cannot store. Throws `invalid_json` and `invalid_request`.
 */
export function parseJson(body: Uint8Array, bounds: JsonBounds): unknown {
  const text = new TextDecoder().decode(body)
  if (text.trim() === '') throw problem('invalid_json')
  inspect(text, bounds)
  try {
    const value: unknown = JSON.parse(text)
    inspectStrings(value)
    return value
  } catch (error) {
    throw error instanceof SyntaxError ? problem('invalid_json') : error
  }
}

/** Scans a text for its parts and depth, and for members that are given twice or would change a prototype. */
function inspect(text: string, bounds: JsonBounds): void {
  const open: (Set<string> | null)[] = []
  let expectsName = false
  let parts = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      const names = open[open.length - 1]
      if (expectsName && names) {
        const written = text.slice(index + 1, end)
        const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        if (name === '__proto__') throw problem('invalid_json')
        if (names.has(name)) throw problem('invalid_json', `The member "${name.slice(0, 50)}" is given twice.`)
        names.add(name)
        expectsName = false
      }
      index = end
    } else if (character === '{' || character === '[') {
      if (open.length >= bounds.depth) throw problem('invalid_json', 'The body is nested too deeply.')
      open.push(character === '{' ? new Set() : null)
      expectsName = character === '{'
    } else if (character === '}' || character === ']') {
      open.pop()
      expectsName = false
    } else if (character === ',') {
      if (++parts >= bounds.parts) throw problem('invalid_json', 'The body has too many members.')
      expectsName = open[open.length - 1] !== null
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index]
    if (character === '\\') index++
    else if (character === '"') return index
  }
  return text.length
}

function inspectStrings(body: unknown): void {
  const bad = findBad(body)
  if (!bad) return
  const { value, names } = bad
  const field = names.map((name) => name.slice(0, 100)).join('.') || 'body'
  if (typeof value === 'number') throw problem('invalid_request', `${field}: the number is too large.`)
  throw problem('invalid_request', `${field}: contains a character that is not text.`, {
    errors: [{ field, code: 'invalid_text', message: 'contains a character that is not text' }],
  })
}

/** Returns a text or number that cannot be stored, with the names of the members that lead to it; null if there is none. */
function findBad(value: unknown): { value: string | number; names: string[] } | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? { value, names: [] } : null
  if (typeof value === 'number') return Number.isFinite(value) ? null : { value, names: [] }
  if (value === null || typeof value !== 'object') return null
  for (const [key, member] of Object.entries(value)) {
    const found = findBad(member)
    if (found) return { value: found.value, names: [key, ...found.names] }
    if (findBad(key)) return { value: key, names: [] }
  }
  return null
}
