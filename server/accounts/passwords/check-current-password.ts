import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { type Attempted, countAttempt, refundAttempts } from '#server/accounts/limits/attempts.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'

/** Returns how attempts at a user's current password are counted, over all sessions. */
export const currentPasswordTries = (services: Services, userId: number): Attempted => ({
  kind: 'current-password',
  subject: limitSubject(services.config, `user ${userId}`),
  network: Buffer.alloc(0),
})

/**
 * Compares the current password of a user who has a session or a link. Counts the attempt first. Throws `wrong_password`
 * naming `field`, `rate_limited` after 5 failures, `unavailable`.
 */
export async function checkCurrentPassword(
  services: Services,
  user: { id: number; password_hash: string | null },
  given: string,
  field: string,
): Promise<void> {
  const { db, passwords } = services
  const tries = currentPasswordTries(services, user.id)
  await countAttempt(db, tries, 'Too many wrong passwords. Wait before you try again.')
  try {
    if (!(await passwords.verify(user.password_hash, given, 'known'))) throw wrongPassword(field)
  } catch (error) {
    // Not compared, so not a failure.
    if (error instanceof HttpProblem && error.code === 'unavailable')
      await refundAttempts(db, ['current-password'], tries.subject, tries.network)
    throw error
  }
}

/** The error for a wrong current password. */
export const wrongPassword = (field: string) =>
  problem('wrong_password', undefined, {
    errors: [{ field, code: 'wrong_password', message: 'is not the current password' }],
  })
