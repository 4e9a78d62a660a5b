import type { z } from 'zod'
import type { AuditAction } from './audit.ts'
import type { ErrorCode } from './errors.ts'

/** Scopes of an API key (decisions 3). No scope reaches the account itself. */
export const scopes = [
  'inventory:read',
  'inventory:write',
  'listings:write',
  'imports:run',
  'platforms:read',
  'usage:read',
] as const
export type Scope = (typeof scopes)[number]

/**
 * Which credential an endpoint takes (decisions 3): none, a bearer token only, or either kind, an API key then
 * needing the scope.
 */
export type Auth = 'none' | 'bearer' | { scope: Scope }

/** An endpoint as it is declared, once. */
export interface RouteDeclaration {
  summary: string
  /** Section of the specification, or of the decisions ("d6"). */
  section: string
  tag: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its trailing slash and `{name}` parameters. */
  path: string
  auth: Auth
  params?: z.ZodObject
  query?: z.ZodObject
  /** Left out: the endpoint takes no body, and anything but an empty body or `{}` is refused. */
  body?: z.ZodType
  /** Body schema by status; null where the reply has no body. */
  replies: Record<number, z.ZodType | null>
  /** Codes that this endpoint can answer beyond those every endpoint can (see commonErrors). */
  errors?: readonly ErrorCode[]
  /** Media type of the reply; JSON, or HTML of a page, unless told. */
  replyType?: string
  /** What a caller must know beyond the summary and the schemas; code in backticks. */
  notes?: string
  /** Headers of the request that mean something here, each with what it does. */
  headers?: Record<string, string>
  /** Honours `Idempotency-Key` (decisions 2). */
  idempotent?: boolean
  /** The reply carries a secret: it is never stored for replay, and a replay answers 409 secret_already_shown. */
  secretReply?: boolean
  /** The reply is written as a stream of JSON, too large to be held and checked against its schema. */
  streamed?: boolean
  /** Hands out bearer tokens or codes: counts against the narrow limit per address. */
  issuesToken?: boolean
  /** Counted, but never refused for the general limits: a delist must always go through (decisions 8). */
  neverLimited?: boolean
  /** Goes on while the server's disk is nearly full: it ends a sale or a session, and writes little. */
  worksOnLowDisk?: boolean
  /** The action that the audit trail records, whether it is done or refused. */
  audit?: AuditAction
  /** Answers a browser with HTML and takes a form; it stands in the document, and is not called by clients. */
  page?: boolean
  /**
   * A session must have proved who its holder is recently: `usual` within `REAUTHENTICATE_AFTER_MINUTES`, `strict` within 15
   * minutes. Else 403 `reauthentication_required`. An API key is not asked.
   */
  recentProof?: 'usual' | 'strict'
  /** Largest body in bytes; 1 MB unless told. */
  maxBodyBytes?: number
}

/** Declares an endpoint, keeping its literal types. */
export const route = <const Declaration extends RouteDeclaration>(declaration: Declaration): Declaration => declaration

type Output<Schema, Absent> = Schema extends z.ZodType ? z.output<Schema> : Absent

/** What a handler is given: parsed and valid. */
export interface Input<R extends RouteDeclaration> {
  params: Output<R['params'], Record<string, never>>
  query: Output<R['query'], Record<string, never>>
  body: Output<R['body'], undefined>
}

/** What a handler may answer: one of the declared statuses with its body. */
export type Reply<R extends RouteDeclaration> = {
  [Status in keyof R['replies'] & number]: R['replies'][Status] extends z.ZodType
    ? { status: Status; body: z.input<R['replies'][Status]> }
    : { status: Status; body?: undefined }
}[keyof R['replies'] & number]

/** What a client sends. */
export type Request<R extends RouteDeclaration> = (R['params'] extends z.ZodType
  ? { params: z.input<R['params']> }
  : { params?: undefined }) &
  (R['query'] extends z.ZodType ? { query?: z.input<R['query']> } : { query?: undefined }) &
  (R['body'] extends z.ZodType
    ? undefined extends z.input<R['body']>
      ? { body?: z.input<R['body']> }
      : { body: z.input<R['body']> }
    : { body?: undefined })

/** What a client gets back on success: the bodies of all declared statuses. */
export type Answer<R extends RouteDeclaration> = {
  [Status in keyof R['replies']]: R['replies'][Status] extends z.ZodType ? z.output<R['replies'][Status]> : null
}[keyof R['replies']]

/** True where a page sends a form, which may have no fields. */
export const isForm = ({ page, method }: RouteDeclaration): boolean => page === true && method === 'POST'

/** Codes that every endpoint can answer, and which credential states bring them. */
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
