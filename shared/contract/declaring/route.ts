import type { z } from 'zod'
import type { AuditAction } from '../account/audit.ts'
import type { ErrorCode } from './errors.ts'

/** Scopes of an API key. No scope reaches the account itself. */
export const scopes = [
  'inventory:read',
  'inventory:write',
  'listings:write',
  'imports:run',
  'platforms:read',
  'usage:read',
] as const
export type Scope = (typeof scopes)[number]

/** The accepted credential: none, a bearer token, or a bearer token or an API key with the scope. */
export type Auth = 'none' | 'bearer' | { scope: Scope }

/** The declaration of an endpoint. */
export interface RouteDeclaration {
  summary: string
  tag: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With trailing slash and `{name}` parameters. */
  path: string
  auth: Auth
  params?: z.ZodObject
  query?: z.ZodObject
  /** Without a schema the endpoint takes no body and refuses anything but an empty body or `{}`. */
  body?: z.ZodType
  /**
   * Media type of the request's body; JSON by default. `text/csv` and `image` reach the handler as bytes. An image is a
   * file of any media type, or the only file of a form.
   */
  bodyType?: 'text/csv' | 'image'
  /** Body schema by status; null for a response without body. */
  replies: Record<number, z.ZodType | null>
  /** Error codes beyond those of every endpoint (see commonErrors). */
  errors?: readonly ErrorCode[]
  /** Media type of the response; JSON, or HTML of a page, by default. */
  replyType?: string
  /** Notes for callers beyond summary and schemas; code in backticks. */
  notes?: string
  /** Request headers with a meaning here, each with its description. */
  headers?: Record<string, string>
  /** Path of what a 201 has created, with members of the answer as `{name}`: the header `Location`. */
  location?: string
  /** Honors `Idempotency-Key`. */
  idempotent?: boolean
  /** The response contains a secret, so it is never stored. Repeating the request answers 409 secret_already_shown. */
  secretReply?: boolean
  /** The response is streamed, too large to be buffered and validated. */
  streamed?: boolean
  /** Issues bearer tokens or codes, so it counts against the narrow limit per address. */
  issuesToken?: boolean
  /** Counted, but never refused by the general limits: a take-down must always go through. */
  neverLimited?: boolean
  /** Works while the disk is nearly full: it ends a sale or a session and writes little. */
  worksOnLowDisk?: boolean
  /** The action recorded in the audit trail, on success and refusal. */
  audit?: AuditAction
  /** An HTML page or form for browsers; documented, but not called by API clients. */
  page?: boolean
  /**
   * Requires a session with recent authentication: `usual` within a day, `strict` within 15 minutes,
   * else 403 `reauthentication_required`. API keys are exempt.
   */
  recentProof?: 'usual' | 'strict'
  /** The way in of JSON larger than 1 MB. */
  largeBody?: 'batch' | 'bulk'
}

/** Returns the function that declares the endpoints under a tag, keeping their literal types. */
export const routesOf =
  (tag: string) =>
  <const Declaration extends Omit<RouteDeclaration, 'tag'>>(
    declaration: Declaration,
  ): Declaration & { tag: string } => ({
    tag,
    ...declaration,
  })

type Output<Schema, Absent> = Schema extends z.ZodType ? z.output<Schema> : Absent

/** The parsed input of a handler. */
export interface Input<R extends RouteDeclaration> {
  params: Output<R['params'], Record<string, never>>
  query: Output<R['query'], Record<string, never>>
  body: Output<R['body'], undefined>
}

/** A handler's response: a declared status with its body. */
export type Reply<R extends RouteDeclaration> = {
  [Status in keyof R['replies'] & number]: R['replies'][Status] extends z.ZodType
    ? { status: Status; body: z.input<R['replies'][Status]> }
    : { status: Status; body?: undefined }
}[keyof R['replies'] & number]

/** The request of a client. */
export type Request<R extends RouteDeclaration> = (R['params'] extends z.ZodType
  ? { params: z.input<R['params']> }
  : { params?: undefined }) &
  (R['query'] extends z.ZodType ? { query?: z.input<R['query']> } : { query?: undefined }) &
  (R['body'] extends z.ZodType
    ? undefined extends z.input<R['body']>
      ? { body?: z.input<R['body']> }
      : { body: z.input<R['body']> }
    : { body?: undefined })

/** A client's result on success: the bodies of all declared statuses. */
export type Answer<R extends RouteDeclaration> = {
  [Status in keyof R['replies']]: R['replies'][Status] extends z.ZodType ? z.output<R['replies'][Status]> : null
}[keyof R['replies']]

/** Returns whether the route is a form, which may have no fields. */
export const isForm = ({ page, method }: RouteDeclaration): boolean => page === true && method === 'POST'

/** Returns the codes that every endpoint can answer, by its declaration. */
export function commonErrors(declaration: RouteDeclaration): ErrorCode[] {
  const codes: ErrorCode[] = [
    ...(['invalid_request', 'ambiguous_credentials', 'method_not_allowed', 'misdirected_request'] as const),
    ...(['rate_limited', 'internal', 'unavailable'] as const),
  ]
  if (declaration.auth !== 'none') codes.push('unauthenticated')
  if (declaration.auth === 'bearer') codes.push('wrong_credential_kind')
  if (typeof declaration.auth === 'object') codes.push('insufficient_scope')
  if (declaration.recentProof) codes.push('reauthentication_required')
  if (declaration.auth !== 'none' && declaration.method !== 'GET') codes.push('daily_quota_exceeded')
  if (declaration.params) codes.push('not_found')
  if (declaration.body || isForm(declaration)) {
    codes.push('invalid_json', 'payload_too_large', 'unsupported_media_type')
  }
  if (declaration.idempotent) codes.push('idempotency_key_reused', 'request_in_flight')
  if (declaration.idempotent && declaration.secretReply) codes.push('secret_already_shown')
  return codes
}
