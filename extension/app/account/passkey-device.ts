import type { z } from 'zod'
import type { Created, PasskeyAnswer } from '#shared/contract/account/passkey-answer.ts'
import { beginPasskey, beginPasskeyLogin } from '#shared/contract/account/passkeys.ts'
import { callAccount } from './call-account.ts'
import { text } from './words.ts'

/** Makes a passkey on this device. Throws an error in the seller's words if the device made none. */
export async function createPasskey(): Promise<{ challenge_token: string; response: z.input<typeof Created> }> {
  const { challenge_token, options } = await callAccount(beginPasskey, {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return { challenge_token, response: await answer(publicKey.rp.id, () => navigator.credentials.create({ publicKey })) }
}

/** Asks for one of the account's passkeys. Throws an error in the seller's words if none was used. */
export async function usePasskey(): Promise<PasskeyAnswer> {
  const { challenge_token, options } = await callAccount(beginPasskeyLogin, {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return { challenge_token, response: await answer(publicKey.rpId, () => navigator.credentials.get({ publicKey })) }
}

/** Returns what the device answers. A passkey belongs to one host name: under another, the browser refuses. */
async function answer<Answer>(host: string | undefined, ask: () => Promise<Credential | null>): Promise<Answer> {
  if (host && location.hostname !== host) throw new Error(text('passkeys.elsewhere', { host }))
  const credential = await ask().catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) throw new Error(text('passkeys.failed'))
  return credential.toJSON() as Answer
}
