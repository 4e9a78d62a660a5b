import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { createFairLimit } from '#server/infra/fair-limit.ts'
import { type WayIn, type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import { readBody, senderOf } from './read-body.ts'

interface JsonBody {
  value: unknown
  bytes: number
}

/** Smaller bodies take a few ms of the main thread, and no turns. */
const smallBytes = 64_000
/** Large bodies are read one at a time, and after what its account or network has used lately. */
const inTurn = createFairLimit({ width: waysIn.json.atOnce.all, costlyWidth: waysIn.json.atOnce.all })

/**
 * Returns a reader of JSON bodies. It refuses what parsers accept but causes harm later: many members, which cost most,
 * duplicate members, deep nesting, U+0000 and lone surrogates, which PostgreSQL cannot store. Large bodies take turns by
 * account. Throws `invalid_json`, `invalid_request` and the errors of `readBody`.
 */
export function jsonReader(way: JsonWay): (ctx: Koa.Context) => Promise<JsonBody> {
  return async (ctx) => {
    const bytes = await readBody(ctx, way)
    if (bytes.length <= smallBytes) return read(bytes, waysIn[way], async (step) => step())
    return inTurn(senderOf(ctx.state), false, () => read(bytes, waysIn[way], withRest), {
      expectedMs: bytes.length / 1e5,
    })
  }
}

/** Takes a step of a large body, and then leaves the main thread to others for as long as it took. */
async function withRest<Result>(step: () => Result): Promise<Result> {
  await immediate()
  const startedMs = performance.now()
  try {
    return step()
  } finally {
    await delay(performance.now() - startedMs)
  }
}

async function read(
  body: Buffer,
  bounds: JsonBounds,
  take: <Result>(step: () => Result) => Promise<Result>,
): Promise<JsonBody> {
  try {
    const text = await take(() => {
      const text = new TextDecoder().decode(body)
      if (text.trim() === '') throw problem('invalid_json')
      inspect(text, bounds)
      return text
    })
    const value: unknown = await take(() => JSON.parse(text))
    await take(() => inspectStrings(value))
    return { value, bytes: Buffer.byteLength(text) }
  } catch (error) {
    throw error instanceof SyntaxError ? problem('invalid_json') : error
  }
}

/** Ways in by which JSON of clients comes. */
export type JsonWay = { [Way in WayInName]: (typeof waysIn)[Way] extends JsonBounds ? Way : never }[WayInName]
type JsonBounds = Required<Pick<WayIn, 'depth' | 'parts'>>

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
