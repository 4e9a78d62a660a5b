import { parsePhone } from '#server/accounts/contact/parse-phone.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { enforceTextLimits } from '#server/accounts/limits/text-limits.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { beginSecondStep, secondFactorRequired } from '../pending-sign-in.ts'
import { answerChallenge, beginChallenge, codeInvalid, consumeChallenge } from './phone-challenge.ts'
import * as sql from './queries.ts'

/** Begins a sign-in by phone; the same for a number without an account. */
export async function beginPhoneLogin(
  services: Services,
  given: { phone_number: string },
  address: string,
): Promise<{ signin_token: string; expires_at: string }> {
  const phone = parsePhone(services.config, given.phone_number)
  return transaction(services.db, 'begin-phone-login', async (tx) => {
    const caller = await enforceTextLimits(services, tx, phone, address)
    const { token, expires_at } = await beginChallenge(services, tx, 'signin', phone, caller)
    return { signin_token: token, expires_at }
  })
}

/**
 * Completes a sign-in by phone. Throws `code_invalid`, also if the account is gone, and `second_factor_required` for an
 * account with an authenticator app.
 */
export async function verifyPhoneLogin(
  services: Services,
  given: { signin_token: string; code: string },
  client: Client,
): Promise<Session> {
  const challenge = await answerChallenge(services, 'signin', { token: given.signin_token, code: given.code })
  const entered = await transaction(services.db, 'verify-phone-login', async (tx) => {
    await consumeChallenge(tx, challenge)
    const user = await tx.oneOrNone(sql.lockUserByPhone({ phone: challenge.phone_number }))
    if (!user) throw codeInvalid()
    // Numbers can be taken over, so a text does not replace a stronger factor.
    const pending = await beginSecondStep(tx, user.id)
    if (pending) return { ...pending, user_id: user.id }
    await tx.none(
      accountsSql.recordNetwork({ user_id: user.id, network: limitSubject(services.config, client.address) }),
    )
    return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'phone' }))
  })
  // Throw after the commit, which uses up the code.
  if ('signin_token' in entered) throw secondFactorRequired(entered.user_id, entered)
  return entered
}
