import { deferredMessageKey } from '#server/accounts/limits/account-keys.ts'
import type { TextCaller } from '#server/accounts/limits/text-limits.ts'
import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'

/**
 * A request whose response must not reveal whether an account exists. The request only enqueues it; a job finds the
 * account and writes the message. Known and unknown accounts cost the same queries, and the request is durable.
 */
export type DeferredMessage =
  /** `network`: the HMAC of the requester's network, in base64. */
  | { kind: 'password-reset'; email: string; network: string }
  | PhoneCodeRequest
  | { kind: 'recover-email'; phone: string; full_name: string | null; caller: TextCaller }

export interface PhoneCodeRequest {
  kind: 'signup-code' | 'signin-code'
  phone: string
  code: string
  /** When the code expires. */
  expires_at: string
  caller: TextCaller
}

export const deferredMessageQueue = 'account-intent'

/** Enqueues a request in the caller's transaction; encrypted, since the queue is a table. */
export async function deferMessage(
  { config, jobs }: Services,
  queries: Queries,
  message: DeferredMessage,
): Promise<void> {
  const id = newId('out')
  const encrypted = encrypt(JSON.stringify(message), `intent/${id}`, deferredMessageKey(config))
  await jobs.send(queries, deferredMessageQueue, { id, encrypted: encrypted.toString('base64') })
}
