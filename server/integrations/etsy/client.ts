import type { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { type Exchange, jsonOf } from '../http.ts'
import { refusalOf } from '../refusal.ts'
import { errorOfAnswer } from './errors.ts'

/** A request body: a form (lists are joined with commas), JSON, or parts with a file. */
type EtsyBody = { form: Record<string, string | number | boolean> } | { json: object } | { parts: FormData }

interface EtsyCall {
  /** GET by default. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: EtsyBody
  /** A few words for messages: "the list of listings". */
  call: string
  /** Relative to /v3/application. */
  path: string
  /** Lists are joined with commas, because Etsy reads only the last of several equal names. */
  query?: Record<string, string | number | string[]>
  accessToken?: string
  signal?: AbortSignal
}

/** Calls the Open API and parses the answer. Throws PlatformError for any other answer. */
export type Etsy = <Schema extends z.ZodType>(call: EtsyCall, schema: Schema) => Promise<z.output<Schema>>

interface EtsyClientOptions {
  apiUrl: string
  /** The app's keystring. */
  clientId: string
  /** Etsy refuses calls without it. */
  sharedSecret: string
  exchange: Exchange
  /** Called with the app's limits that each answer reports. */
  onRateLimits?: (limits: RateLimits) => void
}

/** The app's limits in Etsy's headers; null where an answer does not report one. */
export interface RateLimits {
  perSecond: number | null
  remainingThisSecond: number | null
  perDay: number | null
  remainingToday: number | null
}

/** Creates a client of the Open API v3. */
export function createEtsy(options: EtsyClientOptions): Etsy {
  const apiKey = `${options.clientId}:${options.sharedSecret}`
  return async ({ call, method = 'GET', path, query, body, accessToken, signal }, schema) => {
    const headers: Record<string, string> = { accept: 'application/json', 'x-api-key': apiKey }
    if (accessToken) headers.authorization = `Bearer ${accessToken}`
    const url = `${options.apiUrl}/v3/application${path}${queryOf(query)}`
    const sent = body ? bodyOf(body) : { headers: {}, body: undefined }
    const init = { method, headers: { ...headers, ...sent.headers }, ...(sent.body ? { body: sent.body } : {}) }
    const answer = await options.exchange(call, url, init, signal)
    options.onRateLimits?.(rateLimitsOf(answer.headers))
    if (answer.status !== 200 && answer.status !== 201 && answer.status !== 204) throw errorOfAnswer(call, answer)
    if (answer.status === 204) return schema.parse(undefined)
    return parseAnswer(call, schema, answer.text)
  }
}

function bodyOf(body: EtsyBody): { headers: Record<string, string>; body: string | FormData } {
  if ('json' in body) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body.json) }
  // fetch sets the content type with its boundary.
  if ('parts' in body) return { headers: {}, body: body.parts }
  const form = new URLSearchParams(Object.entries(body.form).map(([name, value]) => [name, String(value)]))
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() }
}

function queryOf(query: EtsyCall['query']): string {
  if (!query) return ''
  // URLSearchParams would escape the commas. Etsy accepts both, and plain commas are easier to read in a log.
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(',')}`,
  )
  return `?${pairs.join('&')}`
}

/** Returns the limits in an answer's headers. */
export function rateLimitsOf(headers: Headers): RateLimits {
  const read = (name: string) => {
    const text = headers.get(name)?.trim() ?? ''
    return /^\d{1,9}$/.test(text) ? Number(text) : null
  }
  return {
    perSecond: read('x-limit-per-second'),
    // Etsy's guide spells it without the last letter.
    remainingThisSecond: read('x-remaining-this-second') ?? read('x-remaining-this-secon'),
    perDay: read('x-limit-per-day'),
    remainingToday: read('x-remaining-today'),
  }
}

/** Parses an answer. Throws PlatformError: `unavailable` for text that is not JSON, `malformed` for unexpected JSON. */
export function parseAnswer<Schema extends z.ZodType>(call: string, schema: Schema, text: string): z.output<Schema> {
  const body = jsonOf(text)
  // A 200 without JSON is a maintenance page or a truncated answer, so a retry may succeed.
  if (body === undefined) {
    throw refusalOf('etsy', 'unavailable', { call, faults: [], logCode: 'not_json' })
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.')
  throw new PlatformError('etsy', 'malformed', `Etsy's answer to ${call} is not understood: ${field || 'its shape'}.`)
}
