import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import { lockUser } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { passkeyMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import type { Passkey } from '#shared/contract/account/passkeys.ts'
import { redeemChallenge, saveChallenge } from './challenges.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import * as sql from './queries.ts'
import { requireRelyingParty } from './relying-party.ts'
import { passkeyRefused } from './use-passkey.ts'

/** Passkeys per account. */
const most = 20

/** Returns the passkeys of a user. */
export function listPasskeys(queries: Queries, user_id: number): Promise<Passkey[]> {
  return queries.any(sql.listPasskeys({ user_id }))
}

/** Returns the options for creating a passkey and the token of their challenge. Throws `conflict`. */
export async function beginPasskey({ db, config }: Services, user: { id: number; name: string }) {
  const { id } = requireRelyingParty(config)
  const known = await db.any(sql.listCredentials({ user_id: user.id }))
  if (known.length >= most) throw problem('conflict', `There are ${most} passkeys already. Remove one first.`)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Hapax',
    rpID: id,
    userID: new Uint8Array(limitSubject(config, `passkey user ${user.id}`)),
    userName: user.name,
    attestationType: 'none',
    excludeCredentials: known as never,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const kept = await saveChallenge(db, { purpose: 'register', user_id: user.id, challenge: options.challenge })
  return { ...kept, options: { ...options } as unknown as Record<string, unknown> }
}

/** Adds a passkey created for one of our challenges, which works once. Throws `passkey_refused`, `conflict`. */
export async function addPasskey(
  services: Services,
  holder: RequestCredential,
  given: { challenge_token: string; name: string; response: unknown },
): Promise<Passkey> {
  const { db, config } = services
  const party = requireRelyingParty(config)
  const challenge = await redeemChallenge(db, given.challenge_token, { purpose: 'register', user_id: holder.user_id })
  if (challenge === null) throw passkeyRefused()
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: given.response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw passkeyRefused(error)
  })
  if (!verified) throw passkeyRefused()
  const { credential } = registrationInfo
  return transaction(db, 'add-passkey', async (tx) => {
    const user = await reauthorize(tx, holder)
    if (!user) throw problem('unauthenticated')
    const known = await tx.any(sql.listCredentials({ user_id: user.id }))
    if (known.length >= most) throw problem('conflict', `There are ${most} passkeys already. Remove one first.`)
    const passkey = await tx.oneOrNone(
      sql.insertPasskey({
        user_id: user.id,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        name: given.name,
      }),
    )
    if (!passkey) throw passkeyRefused()
    if (user.email !== null) {
      await enqueueMessage(services, tx, {
        template: 'passkey',
        user_id: user.id,
        message: passkeyMail(user.email, { name: given.name, what: 'added', publicUrl: config.PUBLIC_URL }),
        expiresInSeconds: 86_400,
      })
    }
    return passkey
  })
}

/** Removes a passkey. Throws `not_found`. */
export async function removePasskey(services: Services, userId: number, uid: string): Promise<void> {
  await transaction(services.db, 'remove-passkey', async (tx) => {
    const user = await lockUser(tx, userId)
    const removed = user && (await tx.oneOrNone(sql.deletePasskey({ user_id: userId, uid })))
    if (!removed) throw notFound()
    if (user.email === null) return
    await enqueueMessage(services, tx, {
      template: 'passkey',
      user_id: userId,
      message: passkeyMail(user.email, { name: removed.name, what: 'removed', publicUrl: services.config.PUBLIC_URL }),
      expiresInSeconds: 86_400,
    })
  })
}
