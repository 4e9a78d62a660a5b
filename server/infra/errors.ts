import { type ErrorCode, type FieldError, statusOf, titleOf } from '#shared/contract/declaring/errors.ts'

interface ProblemDetails {
  /** A sentence for the user: what happened and what to do. */
  detail?: string
  errors?: FieldError[]
  retryAfterSeconds?: number
  headers?: Record<string, string>
  cause?: unknown
  /** Additional members of the body. */
  members?: Record<string, string>
  /** The targeted account of an anonymous request; for the audit trail, never sent. */
  userId?: number
}

/** An error of the closed list (shared/contract/errors), thrown by any layer below a handler. */
export class HttpProblem extends Error {
  override name = 'HttpProblem'
  readonly code: ErrorCode
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>
  readonly userId: number | undefined
  readonly members: Record<string, string>

  constructor(code: ErrorCode, details: ProblemDetails = {}) {
    super(details.detail ?? `${titleOf(code)}.`, { cause: details.cause })
    this.code = code
    this.status = statusOf(code)
    this.errors = details.errors
    this.userId = details.userId
    this.members = details.members ?? {}
    this.headers = {
      ...(this.status === 401 ? { 'www-authenticate': 'Bearer realm="hapax"' } : {}),
      ...details.headers,
      ...(details.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(Math.ceil(details.retryAfterSeconds)) }),
    }
  }
}

/** Returns an error with its own sentence. */
export function problem(code: ErrorCode, detail?: string, more: ProblemDetails = {}): HttpProblem {
  return new HttpProblem(code, { ...more, detail: detail ?? more.detail })
}

/** An error on its way between threads, on which it would lose its class. */
export interface Refusal {
  code: ErrorCode
  detail: string
  errors?: FieldError[]
  members: Record<string, string>
}

/** Returns what a thread answers in place of a problem. Throws other errors. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof HttpProblem)) throw error
  const { code, message, errors, members } = error
  return { code, detail: message, ...(errors ? { errors } : {}), members }
}

/** Returns the error for absent and foreign objects alike. */
export const notFound = () => new HttpProblem('not_found')

/** Returns the error for a well-formed but unacceptable value. */
export const invalidField = (field: string, code: string, message: string) =>
  new HttpProblem('invalid_request', {
    detail: `${field}: ${message}.`,
    errors: [{ field, code, message }],
  })
