import fc from 'fast-check'
import type { ApiDocument, Schema } from './document.ts'

/** Inputs of generated values. */
export interface Source {
  random(): number
  /** The tenant's name, which every free-text member includes. */
  canary: string
  /** Values of earlier answers by member name. */
  seen: ReadonlyMap<string, readonly string[]>
}

export const pick = <Value>(random: () => number, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value
const between = (random: () => number, low: number, high: number) => low + Math.floor(random() * (high - low + 1))

/** Generators by member name, for text whose format is not in the schema. */
const byName: Record<string, (source: Source) => string> = {
  email: ({ canary, random }) => `${canary}.${between(random, 1, 1e9)}@example.com`.toLowerCase(),
  password: () => 'paper lantern 42',
  password_confirm: () => 'paper lantern 42',
  new_password: () => 'paper lantern 42',
  phone_number: ({ random }) => `415555${between(random, 1000, 9999)}`,
  dial_code: () => '+1',
  country_code: () => '+1',
  country: ({ random }) => pick(random, ['US', 'DE', 'GB']),
  region: () => 'NY',
  currency: ({ random }) => pick(random, ['USD', 'EUR']),
  default_currency: () => 'USD',
  platform: ({ random }) => pick(random, ['ebay', 'etsy', 'poshmark', 'mercari', 'depop']),
  marketplace: ({ random }) => pick(random, ['ebay', 'etsy']),
  slug: ({ random }) => pick(random, ['ebay', 'etsy', 'poshmark', 'mercari', 'depop']),
  platforms: ({ random }) => pick(random, ['ebay', 'etsy', 'poshmark', 'mercari', 'depop']),
  current_password: () => 'paper lantern 42',
  new_password_confirm: () => 'paper lantern 42',
  n: ({ random }) => String(between(random, 0, 3)),
}

const words = [
  'coat',
  'Leica M3',
  'naïve café',
  'кошка',
  '漢字の器',
  '👩‍👩‍👧 scarf',
  'a\tb\nc',
  '<b>bold</b> & "quoted"',
  "'; --",
  'مرحبا',
]

/** Returns valid text: the tenant's name and some words, between the allowed lengths. */
function freeText(source: Source, { minLength = 0, maxLength = 10_000 }: Schema): string {
  const { random, canary } = source
  const fate = random()
  let text = fate < 0.1 ? '' : `${canary} ${pick(random, words)}`
  // Long text is slow to send, so it is rare.
  if (fate > 0.97) text += 'x'.repeat(Math.max(0, Math.min(maxLength, 100_000) - text.length))
  text = text.slice(0, maxLength).toWellFormed()
  return text.length < minLength ? text.padEnd(minLength, 'x') : text
}

function stringOf(source: Source, schema: Schema, name: string): string {
  const { random } = source
  const seen = source.seen.get(name) ?? []
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) =>
    pattern ? [new RegExp(`${pattern}`, 'u')] : [],
  )
  const fits = (text: string) =>
    patterns.every((pattern) => pattern.test(text)) &&
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY)
  const prefix = /^\^([a-z]{3}_)/.exec(schema.pattern ?? '')?.[1]
  const known = prefix ? (source.seen.get(prefix) ?? []) : seen
  if (known.length > 0 && random() < (prefix ? 0.9 : 0.4)) {
    const text = pick(random, known)
    if (fits(text)) return text
  }
  const named = byName[name]?.(source)
  if (named !== undefined && fits(named) && random() < 0.95) return named
  if (schema.format === 'uri') return `https://${source.canary.toLowerCase()}.invalid/${between(random, 1, 1e6)}.jpg`
  if (schema.format === 'email') return byName.email!(source)
  if (schema.format === 'date') return new Date(between(random, 0, 4e12)).toISOString().slice(0, 10)
  if (schema.format === 'date-time') return new Date(between(random, 0, 4e12)).toISOString()
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (patterns.length === 0) return freeText(source, schema)
  const [sample] = fc.sample(fc.stringMatching(patterns[0]!, { maxLength: Math.min(schema.maxLength ?? 100, 100) }), {
    numRuns: 1,
    seed: between(random, 0, 2 ** 31),
  })
  return sample!
}

function numberOf({ random }: Source, { minimum = -1e6, maximum = 1e6, type }: Schema): number {
  const fate = random()
  const whole = type === 'integer'
  if (fate < 0.1) return whole ? Math.ceil(minimum) : minimum
  if (fate < 0.2) return whole ? Math.floor(maximum) : maximum
  const high = fate < 0.7 ? Math.min(maximum, minimum + 100) : maximum
  const found = minimum + random() * (high - minimum)
  return whole ? Math.min(Math.floor(maximum), Math.ceil(found)) : found
}

/** Returns a value that the schema allows. `name` is the member's name. */
export function sampleOf(document: ApiDocument, source: Source, given: Schema, name = '', depth = 0): unknown {
  const { random } = source
  const schema = document.resolve(given)
  const inner = (one: Schema, member = name) => sampleOf(document, source, one, member, depth + 1)
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return inner(pick(random, choices))
  if (schema.allOf && schema.type !== 'string') {
    return inner(Object.assign({}, schema, ...schema.allOf.map(document.resolve), { allOf: undefined }) as Schema)
  }
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type
  switch (type) {
    case 'string':
      return stringOf(source, schema, name)
    case 'integer':
    case 'number':
      return numberOf(source, { ...schema, type })
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'array': {
      const least = schema.minItems ?? 0
      const most = Math.min(schema.maxItems ?? 3, random() < 0.02 ? 100 : 3)
      return Array.from({ length: Math.max(least, between(random, least, most)) }, () => inner(schema.items ?? {}))
    }
    case 'object':
      return objectOf(document, source, schema, depth)
    default:
      return pick(random, [source.canary, 1, true, null])
  }
}

function objectOf(document: ApiDocument, source: Source, schema: Schema, depth: number): Record<string, unknown> {
  const { random } = source
  const required = new Set(schema.required ?? [])
  const share = depth > 4 ? 0.2 : pick(random, [0.2, 0.5, 0.9])
  const entries = Object.entries(schema.properties ?? {})
    .filter(([member]) => required.has(member) || random() < share)
    .map(([member, one]): [string, unknown] => [member, sampleOf(document, source, one, member, depth + 1)])
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object' && random() < 0.5) {
    entries.push([`${source.canary} more`, sampleOf(document, source, additionalProperties, 'more', depth + 1)])
  }
  return Object.fromEntries(entries)
}
