import { seal } from '#server/infra/crypto/seal.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import { accountKeys } from './account-keys.ts'
import type { TextCaller } from './admit-text.ts'

/**
 * What was asked for by somebody we must not tell whether an account exists. The request only notes it, whoever it is
 * about; finding the account and writing the message happens in a job. So known and unknown cost the same, to the last
 * query, and a 200 is still durable.
 */
export type Intent =
  /** `network`: the HMAC of where it was asked for, in base64. */
  | { kind: 'password-reset'; email: string; network: string }
  | PhoneCodeIntent
  | { kind: 'recover-email'; phone: string; full_name: string | null; caller: TextCaller }

export interface PhoneCodeIntent {
  kind: 'signup-code' | 'signin-code'
  phone: string
  code: string
  /** When the code ends. */
  expires_at: string
  caller: TextCaller
}

export const intentQueue = 'account-intent'

/** Notes an intent in the caller's transaction; sealed, since the queue is a table too. */
export async function noteIntent({ config, jobs }: Services, queries: Queries, intent: Intent): Promise<void> {
  const id = newId('out')
  const sealed = seal(JSON.stringify(intent), `intent/${id}`, accountKeys(config).intent)
  await jobs.send(queries, intentQueue, { id, sealed: sealed.toString('base64') })
}
