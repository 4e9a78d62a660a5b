import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { type Attempted, countAttempt, forgiveAttempts, refundAttempts } from '#server/accounts/limits/attempts.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'

/**
 * Checks the current password of an account whose token or link the caller has. Throws `wrong_password` naming the
 * field, `rate_limited` after 5 failures in 15 minutes, `unavailable`.
 */
export async function checkPassword(
  services: Services,
  user: { id: number; password_hash: string | null },
  given: { field: string; password: string },
): Promise<void> {
  const { db, config, passwords } = services
  const attempted: Attempted = {
    kind: 'current-password',
    subject: limitSubject(config, `user ${user.id}`),
    network: Buffer.alloc(0),
  }
  await countAttempt(db, attempted, 'Too many wrong passwords. Wait before you try again.')
  let isRight: boolean
  try {
    isRight = await passwords.verify(user.password_hash, given.password, 'known')
  } catch (error) {
    // Not compared, so not a failure.
    if (error instanceof HttpProblem && error.code === 'unavailable')
      await refundAttempts(db, [attempted.kind], attempted.subject, attempted.network)
    throw error
  }
  if (!isRight) throw wrongPassword(given.field)
  await forgiveAttempts(db, [attempted.kind], attempted.subject, null)
}

/** The error for a wrong password. */
export const wrongPassword = (field: string) =>
  problem('wrong_password', undefined, {
    errors: [{ field, code: 'wrong_password', message: 'is not the current password' }],
  })
