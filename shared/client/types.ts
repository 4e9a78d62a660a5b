import type { Event, OperationId, Operations } from './operations.ts'

export interface HapaxOptions {
  /** The address of the server, such as `https://hapax.example.com`. */
  baseUrl: string
  apiKey?: string
  /** A bearer token, in place of the key. */
  token?: string
  /** Tries of a request that waits or fails on the way; 5 by default. */
  tries?: number
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The members that an operation takes, and how the request is sent. */
export type HapaxRequest<Id extends OperationId> = Operations[Id]['request'] & {
  /** Names this request, so that repeating it does nothing twice. Made for you where the operation honors it. */
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type HapaxAnswer<Id extends OperationId> = Operations[Id]['answer']

/** An entry of a list. */
export type HapaxEntry<Id extends OperationId> =
  HapaxAnswer<Id> extends { results: (infer Entry)[] } ? Entry : HapaxAnswer<Id> extends (infer Entry)[] ? Entry : never

export interface Hapax {
  /** Calls an operation by its id in the API document. Throws HapaxError for any error that the server answers. */
  call<Id extends OperationId>(id: Id, request: HapaxRequest<Id>): Promise<HapaxAnswer<Id>>
  /** Calls an operation and returns its response unread, such as a large file. */
  open<Id extends OperationId>(id: Id, request: HapaxRequest<Id>): Promise<Response>
  /** Iterates over the entries of a list, page by page. */
  pages<Id extends OperationId>(id: Id, request?: HapaxRequest<Id>): AsyncGenerator<HapaxEntry<Id>, void, undefined>
}

export type CreateHapax = (options: HapaxOptions) => Hapax

/** An error that the server answered. */
export interface HapaxError extends Error {
  status: number
  /** One of the documented codes, or `bad_answer`. Newer servers may have more. */
  code: string
  requestId: string | null
  errors: { field: string; code: string; message: string }[]
  retryAfterMs: number | null
  /** With `second_factor_required`: the token for the second step. */
  signinToken: string | null
}

export type HapaxErrorConstructor = new (status: number, problem: unknown, retryAfterMs: number | null) => HapaxError

/**
 * Returns the event of a delivery after checking its signature. `secret`: one, or several while it is rotated. `body`:
 * the bytes or the text as received. Throws for a signature that does not fit or a delivery older than five minutes.
 */
export type VerifyWebhook = (
  secret: string | readonly string[],
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: string | Uint8Array,
) => Promise<Event>
