import { sql } from '#server/db/index.ts'
import { problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { forgiveAttempts } from '../attempts.ts'
import { checkCurrentPassword, currentPasswordTries } from '../check-current-password.ts'
import { type LockedUser, lockUser } from '../lock-user.ts'
import { answerChallenge, codeInvalid, consumeChallenge } from '../phone-challenge.ts'

const findUser = sql(import.meta.url, '../sql/find-user.sql')
const renewProof = sql(import.meta.url, './sql/renew-proof.sql')

/** One proof of identity. */
export interface GivenProof {
  password?: string
  /** The code of a text that was asked for by `login/phone/begin/`, to the account's own number. */
  phone?: { signin_token: string; code: string }
}

/**
 * Proves again who holds a session, so that it may make sensitive changes for a while. Throws `wrong_password`,
 * `code_invalid`, `rate_limited`, `unauthenticated` where the session has ended meanwhile.
 */
export async function reauthenticate(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  given: GivenProof,
): Promise<void> {
  const { db } = services
  const user = await db.oneOrNone<LockedUser>(findUser, { user_id: session.user_id })
  if (!user) throw problem('unauthenticated')
  if (given.password !== undefined) await provePassword(services, session, user, given.password)
  else if (given.phone) await provePhone(services, session, user, given.phone)
}

async function provePassword(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  user: LockedUser,
  password: string,
): Promise<void> {
  await checkCurrentPassword(services, user, password, 'password')
  await services.db.tx('reauthenticate', async (tx) => {
    await forgiveAttempts(tx, ['current-password'], currentPasswordTries(services, user.id).subject, null)
    if (!(await tx.oneOrNone(renewProof, session))) throw problem('unauthenticated')
  })
}

async function provePhone(
  services: Services,
  session: { user_id: number; token_hash: Buffer },
  user: LockedUser,
  given: { signin_token: string; code: string },
): Promise<void> {
  const challenge = await answerChallenge(services, 'signin', { token: given.signin_token, code: given.code })
  await services.db.tx('reauthenticate', async (tx) => {
    await consumeChallenge(tx, challenge)
    const held = await lockUser(tx, user.id)
    if (!held?.phone_verified || held.phone_number !== challenge.phone_number) throw codeInvalid()
    if (!(await tx.oneOrNone(renewProof, session))) throw problem('unauthenticated')
  })
}
