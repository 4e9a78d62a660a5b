import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { type Exchange, jsonOf } from '../http.ts'
import { errorOfRest } from './errors.ts'
import { languageHeaders } from './marketplaces.ts'

export interface RestCall<Schema extends z.ZodType> {
  /** A few words for messages: "the new offer". */
  call: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its API's base path: `/sell/inventory/v1/offer`. */
  path: string
  accessToken: string
  signal?: AbortSignal | undefined
  body?: object
  /** Language of the marketplace that the call is about (`de-DE`); American English when left out. */
  language?: string | undefined
  /** The schema of a successful answer; absent where its body does not matter. */
  schema?: Schema
}

/** One error of a REST answer. */
export interface RestFault {
  errorId: number
  message?: string | undefined
  parameters?: { name: string; value: string }[] | null | undefined
}

/** A REST call that eBay refused, with its errors: they are matched by id and parameter, their texts are in the site's language. */
export class EbayRefusal extends PlatformError {
  readonly faults: RestFault[]
  readonly status: number

  constructor(error: PlatformError, status: number, faults: RestFault[]) {
    super(error.platform, error.failure, error.message, {
      platformCode: error.platformCode ?? undefined,
      retryAfterMs: error.retryAfterMs ?? undefined,
    })
    this.status = status
    this.faults = faults
  }
}

/** Calls a REST API of eBay. Throws EbayRefusal for what eBay refused, PlatformError for the rest. */
export type Rest = <Schema extends z.ZodType>(call: RestCall<Schema>) => Promise<z.output<Schema> | undefined>

const Errors = z.object({
  errors: z.array(
    z.object({
      errorId: z.number(),
      message: z.string().optional(),
      parameters: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    }),
  ),
})

/** "Concurrent access of the same Inventory object": two writes about one SKU met. */
const concurrentAccess = 25025

/** Waits before a call that met another one is sent again. */
const pausesMs = [150, 400, 900]

/** A client of eBay's REST APIs at `apiUrl` (platforms 1.4). */
export function createRest({ apiUrl, exchange }: { apiUrl: string; exchange: Exchange }): Rest {
  async function once<Schema extends z.ZodType>(call: RestCall<Schema>): Promise<z.output<Schema> | undefined> {
    const answer = await exchange(
      call.call,
      `${apiUrl}${call.path}`,
      {
        method: call.method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${call.accessToken}`,
          ...languageHeaders(call.language),
          ...(call.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      },
      call.signal,
    )
    const body = jsonOf(answer.text)
    if (answer.status >= 200 && answer.status < 300) return understand(call, answer, body)
    const told = Errors.safeParse(body)
    const faults = told.success ? told.data.errors : []
    throw new EbayRefusal(errorOfRest(call.call, answer, faults), answer.status, faults)
  }

  return async (call) => {
    for (const pauseMs of pausesMs) {
      try {
        return await once(call)
      } catch (error) {
        if (!hasFault(error, concurrentAccess)) throw error
        await delay(pauseMs, undefined, { signal: call.signal })
      }
    }
    return once(call)
  }
}

/** True for a refusal with this error among its errors. */
export function hasFault(error: unknown, errorId: number): error is EbayRefusal {
  return error instanceof EbayRefusal && error.faults.some((fault) => fault.errorId === errorId)
}

function understand<Schema extends z.ZodType>(
  call: RestCall<Schema>,
  answer: { status: number; text: string },
  body: unknown,
): z.output<Schema> | undefined {
  const isEmpty = answer.text.trim() === ''
  if (answer.status === 204 || (isEmpty && !call.schema)) return undefined
  // A page of HTML with a 200 is not eBay's answer, also where nothing of the answer is needed.
  if (body === undefined) {
    throw new PlatformError('ebay', 'unavailable', `eBay's answer to ${call.call} is no whole JSON.`, {
      platformCode: 'not_json',
    })
  }
  if (!call.schema) return undefined
  const parsed = call.schema.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.')
  throw new PlatformError(
    'ebay',
    'malformed',
    `eBay's answer to ${call.call} is not understood: ${field || 'its shape'}.`,
  )
}
