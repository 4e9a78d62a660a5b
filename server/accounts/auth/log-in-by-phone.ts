import { sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { User } from '#shared/contract/accounts.ts'
import { acceptPhone } from './accept-phone.ts'
import { limitSubject } from './account-keys.ts'
import { admitText } from './admit-text.ts'
import { issueToken } from './issue-token.ts'
import { answerChallenge, beginChallenge, codeInvalid, consumeChallenge } from './phone-challenge.ts'
import { beginSecondStep, secondFactorRequired } from './second-factor/steps.ts'
import { type Session, sessionOf } from './session.ts'
import type { Client } from './sessions/origin.ts'

const lockUserByPhone = sql(import.meta.url, './sql/lock-user-by-phone.sql')
const noteNetwork = sql(import.meta.url, './sql/record-network.sql')

/** First step of signing in by phone (decisions 4); the same for a number that has no account. */
export async function beginPhoneLogin(
  services: Services,
  given: { phone_number: string },
  address: string,
): Promise<{ signin_token: string; expires_at: string }> {
  const phone = acceptPhone(services.config, given.phone_number)
  return services.db.tx('begin-phone-login', async (tx) => {
    const caller = await admitText(services, tx, phone, address)
    const { token, expires_at } = await beginChallenge(services, tx, 'signin', phone, caller)
    return { signin_token: token, expires_at }
  })
}

/**
 * Second step. Throws `code_invalid`, also when the number has no account any more, and `second_factor_required` for an
 * account with an authenticator app.
 */
export async function verifyPhoneLogin(
  services: Services,
  given: { signin_token: string; code: string },
  client: Client,
): Promise<Session> {
  const challenge = await answerChallenge(services, 'signin', { token: given.signin_token, code: given.code })
  const entered = await services.db.tx('verify-phone-login', async (tx) => {
    await consumeChallenge(tx, challenge)
    const user = await tx.oneOrNone<User>(lockUserByPhone, { phone: challenge.phone_number })
    if (!user) throw codeInvalid()
    // A number can be taken over: where there is a stronger factor, the code of a text is the first step only.
    const pending = await beginSecondStep(tx, user.id)
    if (pending) return { ...pending, user_id: user.id }
    await tx.none(noteNetwork, { user_id: user.id, network: limitSubject(services.config, client.address) })
    return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'phone' }))
  })
  // After the commit: the code is used up.
  if ('signin_token' in entered) throw secondFactorRequired(entered.user_id, entered)
  return entered
}
