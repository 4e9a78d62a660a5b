import { availableParallelism } from 'node:os'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import type { Services } from '#server/services.ts'
import { beginSignIn, finishSignIn, type SignIn, undoSignIn } from './sign-ins.ts'

/** A higher limit for one account and network would count right passwords as failures while they wait for the hash. */
const inTurn = createKeyedLimit(Math.min(4, availableParallelism()))

/**
 * Signs in with email and password. Answers an unknown address, a closed account, one without a password and a wrong
 * password alike: each costs one hash and counts as a failure. Throws `invalid_credentials`,
 * `rate_limited`, `unavailable`, `second_factor_required`.
 */
export async function logInByPassword(
  services: Services,
  given: { email: string; password: string },
  client: Client,
): Promise<Session> {
  const { config, db, passwords } = services
  const email = normalizeEmail(given.email)
  const signIn: SignIn = {
    subject: limitSubject(config, email ?? given.email),
    network: limitSubject(config, client.address),
    email,
  }
  return inTurn(`${signIn.subject.toString('hex')} ${signIn.network.toString('hex')}`, async () => {
    const account = await beginSignIn(db, signIn, !passwords.isFull())
    const isRight = await passwords
      .verify(account?.password_hash ?? null, given.password, account?.is_known_network ? 'known' : 'unknown')
      .catch(async (error: unknown) => {
        // The queue filled up meanwhile: the password was not tried, so it did not fail.
        if (error instanceof HttpProblem) await undoSignIn(db, signIn, account)
        throw error
      })
    const token = isRight && account ? await finishSignIn(services, account, signIn, client) : null
    if (!account || token === null) throw problem('invalid_credentials', undefined, { userId: account?.id })
    return sessionOf(account, token)
  })
}
