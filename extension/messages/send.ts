import browser from 'webextension-polyfill'
import type { AnswerOf, Envelope, MessageName, RequestOf } from './protocol.ts'
import type { WireError } from './wire-error.ts'

/** An error of the other side, as it was told. `lost`: the worker died before it answered, or does not exist. */
export class MessageError extends Error {
  override name = 'MessageError'
  readonly code: string
  readonly retryAfterMs: number | null
  readonly requestId: string | null

  constructor(error: WireError) {
    super(error.message)
    this.code = error.code
    this.retryAfterMs = error.retry_after_ms
    this.requestId = error.request_id
  }
}

/** Asks the worker. Throws MessageError with the worker's error, or `lost`, which may be asked again. */
export async function send<Name extends MessageName>(name: Name, request: RequestOf<Name>): Promise<AnswerOf<Name>> {
  const envelope = await browser.runtime
    .sendMessage({ name, request })
    .catch((error: unknown) => lost(error instanceof Error ? error.message : String(error)))
  const answer = (envelope ?? lost('no answer')) as Envelope<AnswerOf<Name>>
  if (answer.ok) return answer.value
  throw new MessageError(answer.error)
}

function lost(message: string): Envelope<never> {
  return { ok: false, error: { code: 'lost', message, retry_after_ms: null, request_id: null } }
}
