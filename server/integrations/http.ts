import { decodeHTML } from 'entities'
import type { Fetch } from '#server/infra/fetch.ts'
import { type WayIn, type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { platformOf } from '#shared/platforms.ts'
import { PlatformError } from './errors.ts'

export interface BoundedAnswer {
  status: number
  headers: Headers
  text: string
}

/** One HTTP exchange; `call` names it in error messages. */
export type Exchange = (call: string, url: string, init: RequestInit, signal?: AbortSignal) => Promise<BoundedAnswer>

/**
 * Creates HTTP exchanges with a platform, bounded in time and size. Redirects are never followed, because requests
 * carry tokens. Throws PlatformError `unavailable` without a complete answer, `malformed` for one that is too large,
 * and the signal's reason when the caller aborts.
 */
export function createExchange(options: {
  platform: OAuthSlug
  fetch: Fetch
  /** Bounds the decompressed body, and the time from sending to the last byte. */
  way: WayInName
  /** In place of the time of the way in. */
  timeoutMs?: number | undefined
}): Exchange {
  const { platform, fetch, way, timeoutMs = waysIn[way].giveUpMs } = options
  const { bytes: maxBytes, parts: maxParts = Number.POSITIVE_INFINITY }: WayIn = waysIn[way]
  const { name } = platformOf(platform)
  return async (call, url, init, signal) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        ...init,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      const text = await readText(response, maxBytes)
      if (text !== null && !hasMore(partMarks[platform], text, maxParts)) {
        const { status, headers } = response
        return { status, headers, text: withoutSecrets(text, secretsOf(init, status)) }
      }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof PlatformError) throw cause
      const problem = timeout.aborted
        ? `did not answer ${call} in ${timeoutMs / 1_000} seconds`
        : `could not be reached for ${call}`
      const platformCode = timeout.aborted ? 'timeout' : 'network'
      throw new PlatformError(platform, 'unavailable', `${name} ${problem}. This usually passes within minutes.`, {
        platformCode,
        cause,
      })
    }
    throw new PlatformError(platform, 'malformed', `${name}'s answer to ${call} is larger than Hapax reads.`, {
      platformCode: 'too_large',
    })
  }
}

const secretHeaders = ['authorization', 'x-api-key', 'x-ebay-api-iaf-token']
const secretFields = ['code', 'code_verifier', 'refresh_token', 'client_secret']
/** Shorter ones are no secrets, and are likely to be part of other words. */
const shortestSecret = 8

/** Returns the secrets that a request carried. A token answer may repeat what its form sent, so only a failed one counts. */
function secretsOf({ headers, body }: RequestInit, status: number): string[] {
  const sent = new Headers(headers)
  const inHeaders = secretHeaders.flatMap((name) => {
    const [, value = ''] = /^(?:(?:bearer|basic) )?(.*)$/i.exec(sent.get(name) ?? '') ?? []
    const pair = /^basic /i.test(sent.get(name) ?? '') ? Buffer.from(value, 'base64').toString('utf8') : value
    const secret = pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
    return [value, pair, secret]
  })
  const isForm = sent.get('content-type') === 'application/x-www-form-urlencoded'
  const form = new URLSearchParams(status >= 400 && isForm && typeof body === 'string' ? body : '')
  return [...inHeaders, ...secretFields.flatMap((name) => form.getAll(name))].filter(
    (secret) => secret.length >= shortestSecret,
  )
}

/** Removes what a platform repeats of a request's secrets, plain or as in an address. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, '…') : left), text)
}

/** Reads the body as text; null when it is larger than `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (!response.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Marks of parts that cost time: tags of XML; members, objects and lists of JSON. The JSON of eBay is short enough. */
const partMarks = { ebay: ['<'], etsy: [':', '{', '['] }

/** Returns whether a text has more than `most` of some marks. */
function hasMore(marks: readonly string[], text: string, most: number): boolean {
  let count = 0
  for (const mark of marks) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > most) return true
  }
  return false
}

/**
 * Returns the milliseconds of a Retry-After header, a day at most: seconds, or a date relative to the answer's own
 * Date. Null where it is missing or malformed.
 */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const dayMs = 86_400_000
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), dayMs)
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), dayMs) : null
}

/** Parses JSON; undefined for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Elements of a page or of active content. */
const page = /<(?:!doctype|html|head|body|script|style|iframe|\?xml)\b/i
/** Runs of signs that look like a token or a key. */
const longRun = /[A-Za-z0-9+_=.~#^%|-]{40,}/g

/** Cuts the query of an address, which may carry a token. */
function withoutQuery(word: string): string {
  const start = word.search(/https?:\/\//i)
  const end = start < 0 ? -1 : word.slice(start).search(/[?#]/)
  return end < 0 ? word : word.slice(0, start + end)
}

function withoutTokens(line: string): string {
  return line
    .replace(/\S+/g, withoutQuery)
    .replace(/\b(bearer|basic)\s+[^\s,;"']+/gi, '$1 …')
    .replace(/v(?:\^|%5e)1\.1(?:#|%23)\S+/gi, '…')
    .replace(longRun, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? '…' : run))
}

/**
 * Returns a platform's words as one plain line of at most 300 characters: without markup, control characters, tokens
 * and the queries of addresses. A page has no words.
 */
export function plainText(text: string): string {
  const decoded = decodeHTML(text.slice(0, 10_000))
  if (page.test(decoded)) return ''
  const line = withoutTokens(
    decoded
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\p{Cf}+/gu, '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
