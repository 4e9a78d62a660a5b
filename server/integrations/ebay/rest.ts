import type { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { type BoundedAnswer, type Exchange, jsonOf } from '../http.ts'
import { type Fault, faultsIn, refusalOf } from '../refusal.ts'
import type { ApplicationToken } from './application-token.ts'
import { errorOfAnswer, faultsOfAnswer } from './errors.ts'
import { languageHeaders } from './marketplaces.ts'
import { reportWarnings } from './refusals.ts'

interface RestCall<Schema extends z.ZodType> {
  /** A few words for messages: "the payment policies". */
  call: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Includes the API's base path: `/sell/account/v1/payment_policy`. */
  path: string
  accessToken: string
  signal?: AbortSignal | undefined
  body?: object
  /** Language of the call's marketplace (`de-DE`); American English by default. */
  language?: string | undefined
  /** Schema of a successful answer; absent if its body is not needed. */
  schema?: Schema
}

/** A REST call that eBay refused. Match its faults by code and parameter; texts are in the site's language. */
export class EbayRefusal extends PlatformError {
  readonly status: number

  constructor(error: PlatformError, status: number, faults: readonly Fault[]) {
    super(error.platform, error.failure, error.message, {
      platformCode: error.platformCode ?? undefined,
      retryAfterMs: error.retryAfterMs ?? undefined,
      faults,
    })
    this.status = status
  }
}

/** Calls a REST API of eBay. Throws EbayRefusal if eBay refuses, PlatformError otherwise. */
export type Rest = <Schema extends z.ZodType>(call: RestCall<Schema>) => Promise<z.output<Schema> | undefined>

/**
 * Creates a client of eBay's REST APIs. The Metadata API is asked with the application's own token, because a seller's
 * needs the scope sell.inventory there, which nothing else uses.
 */
export function createRest(options: { apiUrl: string; exchange: Exchange; application: ApplicationToken }): Rest {
  const { apiUrl, exchange, application } = options
  return async (call) => {
    const isOpen = call.path.startsWith('/sell/metadata/')
    const accessToken = isOpen ? await application.read(call.signal) : call.accessToken
    const answer = await exchange(
      call.call,
      `${apiUrl}${call.path}`,
      {
        method: call.method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${accessToken}`,
          ...languageHeaders(call.language),
          ...(call.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      },
      call.signal,
    )
    if (isOpen && answer.status === 401) application.forget()
    const body = jsonOf(answer.text)
    reportWarnings('REST', faultsIn((body as { warnings?: unknown } | null | undefined)?.warnings))
    if (answer.status >= 200 && answer.status < 300) return parseAnswer(call, answer, body)
    throw refusalOfAnswer(call.call, answer)
  }
}

function refusalOfAnswer(call: string, answer: BoundedAnswer): EbayRefusal {
  const faults = faultsOfAnswer(answer.text)
  return new EbayRefusal(errorOfAnswer(call, answer, faults), answer.status, faults)
}

/** Returns true for a refusal with this error. */
export function hasFault(error: unknown, errorId: number): error is EbayRefusal {
  return error instanceof EbayRefusal && error.faults.some(({ code }) => code === String(errorId))
}

function parseAnswer<Schema extends z.ZodType>(
  call: RestCall<Schema>,
  answer: BoundedAnswer,
  body: unknown,
): z.output<Schema> | undefined {
  const isEmpty = answer.text.trim() === ''
  if (answer.status === 204 || (isEmpty && !call.schema)) return undefined
  // An HTML page with status 200 is not eBay's answer, even if the call needs no body.
  if (body === undefined) {
    throw refusalOf('ebay', 'unavailable', { call: call.call, faults: [], logCode: 'not_json' })
  }
  if (!call.schema) return undefined
  const parsed = call.schema.safeParse(body)
  if (parsed.success) return parsed.data
  if (faultsIn(body).length > 0) throw refusalOfAnswer(call.call, { ...answer, status: 400 })
  const field = parsed.error.issues[0]?.path.join('.')
  throw new PlatformError(
    'ebay',
    'malformed',
    `eBay's answer to ${call.call} is not understood: ${field || 'its shape'}.`,
  )
}
