import { browser } from 'wxt/browser'
import { MessageError } from './message-error.ts'
import type { OperationAnswer, OperationName, OperationRequest } from './operations.ts'
import type { AnswerOf, Envelope, MessageName, RequestOf } from './protocol.ts'

export { MessageError }

/** Sends a request to the worker. Throws MessageError with the worker's error, or `lost`, which may be retried. */
export async function send<Name extends MessageName>(name: Name, request: RequestOf<Name>): Promise<AnswerOf<Name>> {
  const envelope = await browser.runtime
    .sendMessage({ name, request })
    .catch((error: unknown) => lost(error instanceof Error ? error.message : String(error)))
  const answer = (envelope ?? lost('no answer')) as Envelope<AnswerOf<Name>>
  if (answer.ok) return answer.value
  throw new MessageError(answer.error)
}

/** Calls an operation of the server. Throws as `send` does. */
export async function call<Name extends OperationName>(
  operation: Name,
  request: OperationRequest<Name>,
): Promise<OperationAnswer<Name>> {
  return (await send('call', { operation, request: request as RequestOf<'call'>['request'] })) as OperationAnswer<Name>
}

function lost(message: string): Envelope<never> {
  return { ok: false, error: { code: 'lost', message, retry_after_ms: null, request_id: null } }
}
