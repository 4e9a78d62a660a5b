import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { lockUser } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { PasskeyAnswer } from '#shared/contract/account/passkey-answer.ts'
import { redeemChallenge, saveChallenge } from './challenges.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import * as sql from './queries.ts'
import { requireRelyingParty } from './relying-party.ts'

/** Creates a challenge for any passkey of this server. Throws `conflict` where passkeys are impossible. */
export async function beginPasskeyUse({ db, config }: Services) {
  const { id } = requireRelyingParty(config)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({ rpID: id, userVerification: 'required' })
  const kept = await saveChallenge(db, { purpose: 'authenticate', user_id: null, challenge: options.challenge })
  return { ...kept, options: { ...options } as Record<string, unknown> }
}

/** A passkey whose response was valid. */
interface UsedPasskey {
  user_id: number
  uid: string
  /** The counter before and after. */
  counter: number
  newCounter: number
}

/**
 * Verifies a passkey's response to one of our challenges. Uses up the challenge in any case and requires user
 * verification. Call `recordPasskeyUse` in the transaction that follows. Throws `passkey_refused`.
 */
export async function checkPasskey({ db, config }: Services, given: PasskeyAnswer): Promise<UsedPasskey> {
  const party = requireRelyingParty(config)
  const challenge = await redeemChallenge(db, given.challenge_token, { purpose: 'authenticate', user_id: null })
  if (challenge === null) throw passkeyRefused()
  const credential = await db.oneOrNone(sql.findCredential({ credential_id: given.response.id }))
  if (!credential) throw passkeyRefused()
  const counter = Number(credential.counter)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: given.response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: given.response.id,
      publicKey: new Uint8Array(credential.public_key),
      counter,
      transports: credential.transports as never,
    },
  }).catch((error: unknown) => {
    throw passkeyRefused(error, credential.user_id)
  })
  if (!verified) throw passkeyRefused(undefined, credential.user_id)
  return { user_id: credential.user_id, uid: credential.uid, counter, newCounter: authenticationInfo.newCounter }
}

/** Records the use of a passkey. Throws `passkey_refused` if it was removed or used by another request meanwhile. */
export async function recordPasskeyUse(queries: Queries, used: UsedPasskey): Promise<void> {
  if (!(await queries.oneOrNone(sql.touchPasskey(used)))) throw passkeyRefused(undefined, used.user_id)
}

/**
 * Signs in with a passkey. Its user verification makes it two factors, so no other is required. Throws
 * `passkey_refused`.
 */
export async function logInByPasskey(services: Services, given: PasskeyAnswer, client: Client): Promise<Session> {
  const used = await checkPasskey(services, given)
  return transaction(services.db, 'log-in-by-passkey', async (tx) => {
    const user = await lockUser(tx, used.user_id)
    if (!user) throw passkeyRefused()
    await recordPasskeyUse(tx, used)
    return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'passkey' }))
  })
}

/** `userId`: the passkey's account, for its audit trail. */
export const passkeyRefused = (cause?: unknown, userId?: number) =>
  problem('passkey_refused', undefined, { cause, userId })
