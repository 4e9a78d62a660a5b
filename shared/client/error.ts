import type { HapaxErrorConstructor } from './types.ts'

interface FieldError {
  field: string
  code: string
  message: string
}

export const HapaxError: HapaxErrorConstructor = class HapaxError extends Error {
  override name = 'HapaxError'
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly errors: FieldError[]
  readonly retryAfterMs: number | null
  readonly signinToken: string | null

  constructor(status: number, problem: unknown, retryAfterMs: number | null) {
    const { detail, code, request_id, errors, signin_token } = (problem ?? {}) as Record<string, unknown>
    super(typeof detail === 'string' ? detail : `The server answered HTTP ${status}.`)
    this.status = status
    this.code = typeof code === 'string' ? code : 'bad_answer'
    this.requestId = typeof request_id === 'string' ? request_id : null
    this.errors = Array.isArray(errors) ? errors.filter(isFieldError) : []
    this.retryAfterMs = retryAfterMs
    this.signinToken = typeof signin_token === 'string' ? signin_token : null
  }
}

function isFieldError(value: unknown): value is FieldError {
  const { field, message } = (value ?? {}) as Partial<FieldError>
  return typeof field === 'string' && typeof message === 'string'
}
