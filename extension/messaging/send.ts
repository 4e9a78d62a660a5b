import { browser } from 'wxt/browser'
import { openEnvelope } from './message-error.ts'
import type { AnswerOf, Envelope, MessageName, RequestOf } from './protocol.ts'

/** Sends a request to the worker. Throws MessageError with the worker's error, or `lost`, which may be retried. */
export async function send<Name extends MessageName>(name: Name, request: RequestOf<Name>): Promise<AnswerOf<Name>> {
  const envelope: unknown = await browser.runtime
    .sendMessage({ name, request })
    .catch((error: unknown) => lost(error instanceof Error ? error.message : String(error)))
  return openEnvelope((envelope ?? lost('no answer')) as Envelope<AnswerOf<Name>>)
}

function lost(message: string): Envelope<never> {
  return { ok: false, error: { code: 'lost', message, retry_after_ms: null, request_id: null } }
}
