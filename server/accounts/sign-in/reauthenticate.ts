import { forgiveAttempts } from '#server/accounts/limits/attempts.ts'
import { checkCurrentPassword, currentPasswordTries } from '#server/accounts/passwords/check-current-password.ts'
import { type LockedUser, lockUser } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { PasskeyAnswer } from '#shared/contract/account/passkey-answer.ts'
import * as accountsSql from '../queries.ts'
import { checkPasskey, passkeyRefused, recordPasskeyUse } from './passkeys/use-passkey.ts'
import { answerChallenge, codeInvalid, consumeChallenge } from './phone/phone-challenge.ts'
import * as sql from './queries.ts'
import { countTry, secondFactorOf, useSecondFactor } from './second-factor/totp.ts'

/** One proof of identity. */
interface GivenProof {
  password?: string
  /** The code of a text from `login/phone/begin/` to the account's own number. */
  phone?: { signin_token: string; code: string }
  totp_code?: string
  recovery_code?: string
  passkey?: PasskeyAnswer
}

/**
 * Authenticates the holder of a session again, which allows sensitive changes for a while. Throws `wrong_password`,
 * `code_invalid`, `passkey_refused`, `rate_limited`, `invalid_request` if the account has a second factor and another
 * proof is given, `unauthenticated` if the session has ended meanwhile.
 */
export async function reauthenticate(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  given: GivenProof,
): Promise<void> {
  const { db } = services
  const user = await db.oneOrNone(accountsSql.findUser({ user_id: session.user_id }))
  if (!user) throw problem('unauthenticated')
  if (given.passkey) return provePasskey(services, session, given.passkey)
  if (given.totp_code !== undefined || given.recovery_code !== undefined)
    return proveSecondFactor(services, session, given)
  // A stolen password or phone number must not suffice to disable the second factor.
  if ((await secondFactorOf(db, user.id)).totp_confirmed_at) {
    throw invalidField(
      'totp_code',
      'required',
      'is needed, or a recovery code or passkey: the account has a second factor',
    )
  }
  if (given.password !== undefined) await provePassword(services, session, user, given.password)
  else if (given.phone) await provePhone(services, session, user, given.phone)
}

async function provePasskey(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  given: PasskeyAnswer,
): Promise<void> {
  const used = await checkPasskey(services, given)
  if (used.user_id !== session.user_id) throw passkeyRefused()
  await transaction(services.db, 'reauthenticate', async (tx) => {
    await recordPasskeyUse(tx, used)
    if (!(await tx.oneOrNone(sql.renewVerification(session)))) throw problem('unauthenticated')
  })
}

async function proveSecondFactor(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  given: GivenProof,
): Promise<void> {
  await countTry(services, session.user_id)
  await transaction(services.db, 'reauthenticate', async (tx) => {
    const { totp_code, recovery_code } = given
    await useSecondFactor(services, tx, session.user_id, { code: totp_code, recovery_code })
    if (!(await tx.oneOrNone(sql.renewVerification(session)))) throw problem('unauthenticated')
  })
}

async function provePassword(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  user: LockedUser,
  password: string,
): Promise<void> {
  await checkCurrentPassword(services, user, password, 'password')
  await transaction(services.db, 'reauthenticate', async (tx) => {
    await forgiveAttempts(tx, ['current-password'], currentPasswordTries(services, user.id).subject, null)
    if (!(await tx.oneOrNone(sql.renewVerification(session)))) throw problem('unauthenticated')
  })
}

async function provePhone(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  user: LockedUser,
  given: { signin_token: string; code: string },
): Promise<void> {
  const challenge = await answerChallenge(services, 'signin', { token: given.signin_token, code: given.code })
  await transaction(services.db, 'reauthenticate', async (tx) => {
    await consumeChallenge(tx, challenge)
    const held = await lockUser(tx, user.id)
    if (!held?.phone_verified || held.phone_number !== challenge.phone_number) throw codeInvalid()
    if (!(await tx.oneOrNone(sql.renewVerification(session)))) throw problem('unauthenticated')
  })
}
