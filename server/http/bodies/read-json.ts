import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { type WayIn, type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import { readBody } from './read-body.ts'

export interface JsonBody {
  value: unknown
  bytes: number
}

/**
 * Returns a reader of JSON bodies. It refuses what parsers accept but causes harm later: many members, which cost most,
 * duplicate members, deep nesting, U+0000 and lone surrogates, which PostgreSQL cannot store. Throws `invalid_json`,
 * `invalid_request` and the errors of `readBody`.
 */
export function jsonReader(way: JsonWay): (ctx: Koa.Context) => Promise<JsonBody> {
  return async (ctx) => {
    const text = new TextDecoder().decode(await readBody(ctx, way))
    if (text.trim() === '') throw problem('invalid_json')
    const value = parse(text, waysIn[way])
    inspectStrings(value)
    return { value, bytes: Buffer.byteLength(text) }
  }
}

/** Ways in by which JSON of clients comes. */
export type JsonWay = { [Way in WayInName]: (typeof waysIn)[Way] extends JsonBounds ? Way : never }[WayInName]
type JsonBounds = Required<Pick<WayIn, 'depth' | 'parts'>>

function parse(text: string, bounds: JsonBounds): unknown {
  try {
    inspect(text, bounds)
    return JSON.parse(text)
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
        const name = JSON.parse(text.slice(index, end + 1)) as string
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

function inspectStrings(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw problem('invalid_request', `${path || 'body'}: contains a character that is not text.`, {
        errors: [{ field: path || 'body', code: 'invalid_text', message: 'contains a character that is not text' }],
      })
    }
    return
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw problem('invalid_request', `${path || 'body'}: the number is too large.`)
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, member] of Object.entries(value)) {
    inspectStrings(key, path ? `${path}.` : '')
    inspectStrings(member, path ? `${path}.${key.slice(0, 100)}` : key.slice(0, 100))
  }
}
