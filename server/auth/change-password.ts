import { sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { passwordChangedMail } from '#server/delivery/templates.ts'
import { HttpProblem, problem } from '#server/http/errors.ts'
import { refuseWeakPassword } from '#server/passwords/policy.ts'
import { proven } from '#server/passwords/suspicion.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { type Attempted, countAttempt, forgiveAttempts, takeBackAttempts } from './attempts.ts'
import { issueToken } from './issue-token.ts'
import { type LockedUser, lockUser } from './lock-user.ts'
import { deleteMailboxTokens } from './mailbox-tokens.ts'

const findUser = sql(import.meta.url, './sql/find-user.sql')
const setPassword = sql(import.meta.url, './sql/set-password.sql')
const endSessions = sql(import.meta.url, './sql/end-sessions.sql')

/**
 * Changes the password (spec 4.8): ends every bearer token and link, and answers a new token for the device in hand.
 * Throws `wrong_password` (400 naming the field), `invalid_request`, `rate_limited` after 5 failures, `unavailable`.
 */
export async function changePassword(
  services: Services,
  userId: number,
  given: { current_password: string; new_password: string },
): Promise<string> {
  const { db, config, passwords } = services
  const user = await db.oneOrNone<LockedUser>(findUser, { user_id: userId })
  if (!user) throw problem('unauthenticated')
  refuseWeakPassword(given.new_password, 'new_password', user.email)
  const attempted: Attempted = {
    kind: 'current-password',
    subject: limitSubject(config, `user ${userId}`),
    network: Buffer.alloc(0),
  }
  await countAttempt(db, attempted, 'Too many wrong passwords. Wait before you try again.')
  try {
    if (!(await passwords.verify(user.password_hash, given.current_password, proven))) throw wrongPassword()
    const password_hash = await passwords.hash(given.new_password, proven)
    return await db.tx('change-password', async (tx) => {
      const held = await lockUser(tx, userId)
      if (!held) throw problem('unauthenticated')
      // Changed meanwhile, so that what was given is not the current one any more.
      if (held.password_hash !== user.password_hash) throw wrongPassword()
      await tx.none(setPassword, { user_id: userId, password_hash })
      await tx.none(endSessions, { user_id: userId })
      await deleteMailboxTokens(tx, userId, 'reset')
      await forgiveAttempts(tx, ['current-password'], attempted.subject, null)
      const token = await issueToken(tx, userId)
      if (token === null) throw problem('unauthenticated')
      if (held.email !== null) {
        await enqueueMessage(services, tx, {
          template: 'password-changed',
          user_id: userId,
          message: passwordChangedMail(held.email, services.config.PUBLIC_URL),
          expiresInSeconds: 86_400,
        })
      }
      return token
    })
  } catch (error) {
    // Not tried at all, so not failed.
    if (error instanceof HttpProblem && error.code === 'unavailable')
      await takeBackAttempts(db, ['current-password'], attempted.subject, attempted.network)
    throw error
  }
}

const wrongPassword = () =>
  problem('wrong_password', undefined, {
    errors: [{ field: 'current_password', code: 'wrong_password', message: 'is not the current password' }],
  })
