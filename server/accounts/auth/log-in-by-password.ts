import { availableParallelism } from 'node:os'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { createLanes } from '#server/infra/lanes.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { type Session, sessionOf } from './session.ts'
import type { Client } from './sessions/origin.ts'
import { signInsOf } from './sign-ins.ts'

/** As many at once for one account and network as the machine can hash: more would wait anyway. */
const inLane = createLanes(Math.min(4, Math.max(1, availableParallelism())))

/**
 * Signs in with email and password (decisions 4). An unknown address, an account without password, a deactivated one
 * and a wrong password are one answer and cost one hash each; their failures count alike. Throws
 * `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function logInByPassword(
  services: Services,
  given: { email: string; password: string },
  client: Client,
): Promise<Session> {
  const { config, passwords } = services
  const { address } = client
  const signIns = signInsOf(services)
  const email = normalizeEmail(given.email)
  const refusing = async <Result>(work: () => Promise<Result>) => {
    try {
      return await work()
    } catch (error) {
      passwords.noteRefused()
      throw error
    }
  }
  const tried = { subject: limitSubject(config, email ?? given.email), network: limitSubject(config, address), email }
  return inLane(`${tried.subject.toString('latin1')}${tried.network.toString('latin1')}`, async () => {
    // In a flood most are refused for want of room: better before they are counted than after. And whose account others
    // guess at is known before standing in line with them.
    const isLookedAt = passwords.isFull() || signIns.isAwaited(tried)
    const isKnown = isLookedAt && (await refusing(() => signIns.look(tried)))
    passwords.refuseIfFull({ address, isKnown })
    const account = await refusing(() => signIns.begin(tried, isKnown))
    const right = await passwords
      .verify(account?.password_hash ?? null, given.password, { address, isKnown: account?.is_known_network ?? false })
      .catch(async (error: unknown) => {
        // Not tried at all, so not failed.
        if (error instanceof HttpProblem) await signIns.takeBack(tried, account?.is_known_network ?? false)
        throw error
      })
    if (!right || !account) throw wrongCredentials(account?.id)
    const token = await signIns.finish(account, tried, client)
    if (token === null) throw wrongCredentials(account.id)
    return sessionOf(account, token)
  })
}

const wrongCredentials = (userId?: number) => problem('invalid_credentials', undefined, { isOneOfMany: true, userId })
