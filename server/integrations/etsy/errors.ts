import type { PlatformFailure } from '../errors.ts'
import { PlatformError } from '../errors.ts'
import { type BoundedAnswer, jsonOf, plainText, retryAfterMs } from '../http.ts'
import { unescapeHtml } from './text.ts'

/** One reason of a refusal. */
export interface Refusal {
  /** The field as Etsy names it, such as "title/1"; null where it names none. */
  path: string | null
  /** Etsy's code, such as "invalid_characters"; null for none. */
  type: string | null
  message: string
}

/** Most reasons that are read from one answer, and how deep they may be nested. */
const maxRefusals = 20
const maxDepth = 6

/**
 * Returns the error of a failed answer, with Etsy's own words and the fields that they are about. Both refine the
 * status: `invalid_token` is an expired token, and a wrong API key is our fault, so no seller must reconnect for it.
 */
export function errorOfAnswer(call: string, answer: BoundedAnswer): PlatformError {
  const refusals = readRefusals(answer.text)
  const failure = failureOf(answer.status, refusals.map(({ type, message }) => `${type} ${message}`).join(' '))
  const reason = refusals.length > 0 ? refusals.map(sentenceOf).join('; ') : missingReason(answer)
  return new PlatformError('etsy', failure, `Etsy refused ${call}: ${shorten(reason)}`, {
    platformCode: codeOf(answer.status, refusals),
    fields: [...new Set(refusals.flatMap(({ path }) => path ?? []))],
    retryAfterMs: retryAfterMs(answer.headers) ?? undefined,
  })
}

/**
 * Returns the reasons in the body of a refusal. Etsy documents `{"error": "text"}`, and also sends lists of
 * `{path, type, message}`, `{error, error_description}` and plain text; nested forms are read alike. Empty for a body
 * without a reason, such as a web page.
 */
export function readRefusals(text: string): Refusal[] {
  const body = jsonOf(text)
  if (body !== undefined) return refusalsIn(body, null, 0).slice(0, maxRefusals)
  const isText = text.trim() !== '' && !/^\s*[[{]/.test(text) && !/<[a-z!/?]/i.test(text)
  return isText ? refusalsIn(text, null, 0) : []
}

const textMembers = ['message', 'error_description', 'detail', 'reason', 'error', 'description']
const pathMembers = ['path', 'field', 'parameter', 'property']
const codeMembers = ['type', 'code', 'error']
/** Members that hold reasons and name no field. */
const wrappers = new Set(['error', 'errors', 'error_list', 'details', 'problems', 'messages'])

function refusalsIn(value: unknown, path: string | null, depth: number): Refusal[] {
  if (typeof value === 'string') return refusalOf(value, path, null)
  if (typeof value !== 'object' || value === null || depth === maxDepth) return []
  if (Array.isArray(value)) return value.slice(0, maxRefusals).flatMap((one) => refusalsIn(one, path, depth + 1))
  const members = Object.entries(value).slice(0, maxRefusals)
  const wordsOf = (names: string[], except?: string) =>
    names.find((name) => name !== except && typeof (value as Record<string, unknown>)[name] === 'string')
  const read = (name: string | undefined) =>
    name === undefined ? null : String((value as Record<string, unknown>)[name])
  const text = wordsOf(textMembers)
  const own = read(wordsOf(pathMembers)) ?? path
  if (text === undefined) {
    return members.flatMap(([name, member]) =>
      refusalsIn(member, wrappers.has(name) ? own : [own, name].filter(Boolean).join('/'), depth + 1),
    )
  }
  const nested = members.filter(([, member]) => typeof member === 'object')
  return [
    ...refusalOf(read(text) ?? '', own, read(wordsOf(codeMembers, text))),
    ...nested.flatMap(([, member]) => refusalsIn(member, own, depth + 1)),
  ]
}

function refusalOf(text: string, path: string | null, type: string | null): Refusal[] {
  // The older form puts the field into the sentence.
  const [, field, rest] = /^There was a problem with (\S+)\s*:\s*(.*)$/s.exec(text) ?? []
  const message = unescapeHtml(plainText(rest ?? text))
  return message === '' ? [] : [{ path: (field ?? path)?.replace(/^\//, '') || null, type, message }]
}

const sentenceOf = ({ path, message }: Refusal) => (path === null ? message : `${path}: ${message}`)

function missingReason({ status, text }: BoundedAnswer): string {
  const [, title] = /<title[^>]*>([^<]*)/i.exec(text) ?? []
  if (title) return `it answered with a web page, “${unescapeHtml(plainText(title))}” (status ${status})`
  return `it gave no reason (status ${status})`
}

const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text)

function failureOf(status: number, text: string): PlatformFailure {
  if (status === 429) return 'rate_limited'
  if (/\binvalid_token\b/.test(text)) return 'unauthorized'
  if ((status === 401 || status === 403) && /api[ _-]?key|x-api-key/i.test(text)) return 'refused'
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 408 || status >= 500) return 'unavailable'
  if (status >= 400) return 'refused'
  // HTML or a redirect instead of JSON comes from a maintenance page or a proxy, so a retry may succeed.
  return 'unavailable'
}

/** Returns Etsy's error code ("invalid_grant"), or else the status. */
function codeOf(status: number, refusals: readonly Refusal[]): string {
  const codes = refusals.flatMap(({ type, message }) => [type, message])
  return codes.find((code) => code !== null && /^[a-z_]{3,40}$/.test(code)) ?? `http_${status}`
}

/** Returns the error of the token endpoint (RFC 6749 5.2). `invalid_grant` means that the grant is gone. */
export function errorOfOAuth(call: string, answer: BoundedAnswer): PlatformError {
  const refused = errorOfAnswer(call, answer)
  const failure = refused.platformCode ? oauthFailures[refused.platformCode] : undefined
  // The token endpoint refuses the client or the grant, never an access token.
  const other = refused.failure === 'unauthorized' || refused.failure === 'not_found' ? 'refused' : refused.failure
  return new PlatformError('etsy', failure ?? other, refused.message, {
    platformCode: refused.platformCode ?? undefined,
    fields: refused.fields,
    retryAfterMs: refused.retryAfterMs ?? undefined,
  })
}

const oauthFailures: Record<string, PlatformFailure> = {
  invalid_grant: 'reconnect',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}
