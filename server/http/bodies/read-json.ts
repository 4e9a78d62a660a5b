import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import { bodyParser, openBody } from './read-body.ts'

const { depth: maxDepth } = waysIn.json

export interface JsonBody {
  value: unknown
  bytes: number
}

/**
 * Returns a reader of JSON bodies. It refuses what parsers accept but causes harm later: duplicate members, deep nesting,
 * U+0000 and lone surrogates, which PostgreSQL cannot store. Throws `invalid_json`, `invalid_request` and the errors of
 * `openBody`.
 */
export function jsonReader(way: WayInName): (ctx: Koa.Context) => Promise<JsonBody> {
  const parse = bodyParser({ json: true, jsonStrict: false, jsonLimit: waysIn[way].bytes, includeUnparsed: true })
  return async (ctx) => {
    const { body, rawBody } = await parse(openBody(ctx, way)).catch((error: unknown) => {
      // Also a member named __proto__.
      throw error instanceof SyntaxError ? problem('invalid_json') : error
    })
    if (!rawBody) throw problem('invalid_json')
    inspect(rawBody)
    inspectStrings(body)
    return { value: body, bytes: Buffer.byteLength(rawBody) }
  }
}

/** Scans valid JSON once for depth and duplicate members. */
function inspect(text: string): void {
  const open: (Set<string> | null)[] = []
  let expectsName = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      const names = open[open.length - 1]
      if (expectsName && names) {
        const name = JSON.parse(text.slice(index, end + 1)) as string
        if (names.has(name)) throw problem('invalid_json', `The member "${name.slice(0, 50)}" is given twice.`)
        names.add(name)
        expectsName = false
      }
      index = end
    } else if (character === '{' || character === '[') {
      if (open.length >= maxDepth) throw problem('invalid_json', 'The body is nested too deeply.')
      open.push(character === '{' ? new Set() : null)
      expectsName = character === '{'
    } else if (character === '}' || character === ']') {
      open.pop()
      expectsName = false
    } else if (character === ',') {
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
