import { textIfAny } from '#extension/i18n/content-text.ts'
import { describeError, MessageError } from '#extension/messaging/message-error.ts'
import type { AnswerOf, PageRequestName, RequestOf } from '#extension/messaging/protocol.ts'
import { send } from '#extension/messaging/send.ts'

/** Timeout in ms: a killed worker never answers. */
const silentMs = 20_000
const attempts = 5

/**
 * Sends a request to the worker and repeats it if the worker died. All requests here are idempotent. Throws
 * MessageError.
 */
export async function sendWithRetry<Name extends PageRequestName>(
  name: Name,
  request: RequestOf<Name>,
): Promise<AnswerOf<Name>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withTimeout(send(name, request))
    } catch (error) {
      if (!(error instanceof MessageError) || error.code !== 'lost' || attempt === attempts) throw error
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const silence = new MessageError({
    code: 'lost',
    message: 'The worker is silent.',
    retry_after_ms: null,
    request_id: null,
  })
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(silence), silentMs)
    }),
  ])
}

/** Returns an error of a request in the seller's words. */
export const errorText = (error: unknown): string => describeError(error, textIfAny)
