import { availableParallelism } from 'node:os'
import { normaliseEmail } from '#server/contact/email.ts'
import { HttpProblem, problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { beginSignIn, finishSignIn, takeBackAttempts } from './attempts.ts'
import { createLanes } from './lanes.ts'
import { type Session, sessionOf } from './session.ts'

/** As many at once for one account and network as the machine can hash: more would wait anyway. */
const inLane = createLanes(Math.min(4, Math.max(1, availableParallelism())))

/**
 * Signs in with e-mail and password (decisions 4). An unknown address, an account without password, a deactivated one
 * and a wrong password are one answer and cost one hash each; their failures count alike. Throws
 * `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function logInByPassword(
  services: Services,
  given: { email: string; password: string },
  address: string,
): Promise<Session> {
  const { config, db } = services
  const email = normaliseEmail(given.email)
  const subject = limitSubject(config, email ?? given.email)
  const network = limitSubject(config, address)
  return inLane(`${subject.toString('latin1')}${network.toString('latin1')}`, async () => {
    const account = await beginSignIn(db, { subject, network, email })
    const right = await services.passwords
      .verify(account?.password_hash ?? null, given.password, { address, isKnown: account?.is_known_network ?? false })
      .catch(async (error: unknown) => {
        // Not tried at all, so not failed.
        if (error instanceof HttpProblem) await takeBackAttempts(db, ['login', 'login-account'], subject, network)
        throw error
      })
    if (!right || !account) throw wrongCredentials()
    const token = await finishSignIn(db, account, { subject, network })
    if (token === null) throw wrongCredentials()
    return sessionOf(account, token)
  })
}

const wrongCredentials = () => problem('invalid_credentials')
