import type { WireError } from './wire-error.ts'

/** An error of the other side, as it was told. `lost`: the worker died before it answered, or does not exist. */
export class MessageError extends Error {
  override name = 'MessageError'
  readonly code: string
  readonly retryAfterMs: number | null
  readonly requestId: string | null
  readonly fields: readonly string[]

  constructor(error: WireError) {
    super(error.message)
    this.code = error.code
    this.retryAfterMs = error.retry_after_ms
    this.requestId = error.request_id
    this.fields = error.fields ?? []
  }
}
