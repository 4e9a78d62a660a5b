import type { Envelope } from './protocol.ts'
import type { WireError } from './wire-error.ts'

/** An error reported by the worker. `lost`: it died before answering, or does not exist. */
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

/** Returns the value of an answer, or throws its error. */
export function openEnvelope<T>(answer: Envelope<T>): T {
  if (answer.ok) return answer.value
  throw new MessageError(answer.error)
}

/** Returns an error in the seller's words: our message for its code, else the server's. */
export function describeError(error: unknown, textIfAny: (name: string) => string | null): string {
  if (error instanceof MessageError) return textIfAny(`error.${error.code}`) ?? error.message
  return error instanceof Error ? error.message : String(error)
}
