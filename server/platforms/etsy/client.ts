import type { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { type Exchange, jsonOf } from '../http.ts'
import { errorOfAnswer } from './errors.ts'

export interface EtsyCall {
  /** A few words for messages: "the list of listings". */
  call: string
  /** Below /v3/application. */
  path: string
  /** Lists are sent as one value with commas: of a repeated name Etsy reads the last only. */
  query?: Record<string, string | number | string[]>
  accessToken?: string
  signal?: AbortSignal
}

/** Calls the Open API with GET and reads the answer. Throws PlatformError for everything else than such an answer. */
export type Etsy = <Schema extends z.ZodType>(call: EtsyCall, schema: Schema) => Promise<z.output<Schema>>

export interface EtsyClientOptions {
  apiUrl: string
  /** The app's keystring. */
  clientId: string
  /** Null: the key alone is sent, as Etsy wanted it before 2026. */
  sharedSecret: string | null
  exchange: Exchange
  /** Told what each answer says about the app's limits. */
  onRateLimits?: (limits: RateLimits) => void
}

/** What Etsy's headers say about the app's limits (platforms 2.2); null where an answer does not say. */
export interface RateLimits {
  perSecond: number | null
  remainingThisSecond: number | null
  perDay: number | null
  remainingToday: number | null
}

/** A client of the Open API v3 (platforms 2). */
export function createEtsy(options: EtsyClientOptions): Etsy {
  const apiKey = options.sharedSecret === null ? options.clientId : `${options.clientId}:${options.sharedSecret}`
  return async ({ call, path, query, accessToken, signal }, schema) => {
    const headers: Record<string, string> = { accept: 'application/json', 'x-api-key': apiKey }
    if (accessToken) headers.authorization = `Bearer ${accessToken}`
    const url = `${options.apiUrl}/v3/application${path}${queryOf(query)}`
    const answer = await options.exchange(call, url, { headers }, signal)
    options.onRateLimits?.(rateLimitsOf(answer.headers))
    if (answer.status !== 200) throw errorOfAnswer(call, answer)
    return understand(call, schema, answer.text)
  }
}

function queryOf(query: EtsyCall['query']): string {
  if (!query) return ''
  // URLSearchParams would escape the commas, which Etsy takes either way, and which read better in a log.
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(',')}`,
  )
  return `?${pairs.join('&')}`
}

/** The limits that an answer's headers tell. */
export function rateLimitsOf(headers: Headers): RateLimits {
  const read = (name: string) => {
    const text = headers.get(name)?.trim() ?? ''
    return /^\d{1,9}$/.test(text) ? Number(text) : null
  }
  return {
    perSecond: read('x-limit-per-second'),
    remainingThisSecond: read('x-remaining-this-second'),
    perDay: read('x-limit-per-day'),
    remainingToday: read('x-remaining-today'),
  }
}

/** The value of an answer's text. Throws PlatformError: `unavailable` for what is no JSON, `malformed` for other JSON. */
export function understand<Schema extends z.ZodType>(call: string, schema: Schema, text: string): z.output<Schema> {
  const body = jsonOf(text)
  // No JSON in a 200 is a maintenance page or an answer cut short: it passes.
  if (body === undefined) {
    throw new PlatformError('etsy', 'unavailable', `Etsy's answer to ${call} is no whole JSON.`, {
      platformCode: 'not_json',
    })
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.')
  throw new PlatformError('etsy', 'malformed', `Etsy's answer to ${call} is not understood: ${field || 'its shape'}.`)
}
