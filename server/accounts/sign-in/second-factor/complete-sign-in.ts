import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { lockUser } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { wrongCodesMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import type { PasskeyAnswer } from '#shared/contract/account/passkey-answer.ts'
import { checkPasskey, passkeyRefused, recordPasskeyUse } from '../passkeys/use-passkey.ts'
import { consumeSecondStep, trySecondStep } from '../pending-sign-in.ts'
import { codeInvalid } from '../phone/phone-challenge.ts'
import { countTry, forgiveTries, useSecondFactor } from './totp.ts'

/** Wrong codes in a row after which the owner is notified: somebody knows the password. */
const failuresToNotify = 5

interface GivenStep {
  signin_token: string
  code?: string
  recovery_code?: string
  passkey?: PasskeyAnswer
}

/**
 * Completes the second step of a sign-in with a code of the app, a recovery code or a passkey. Counts the attempt
 * first, by sign-in and by account. Throws `code_invalid`, `passkey_refused`, `rate_limited`.
 */
export async function logInBySecondFactor(services: Services, given: GivenStep, client: Client): Promise<Session> {
  const userId = await trySecondStep(services.db, given.signin_token)
  const failures = await countTry(services, userId)
  try {
    return await enter(services, userId, given, client)
  } catch (error) {
    const isWrong = error instanceof HttpProblem && error.code === 'code_invalid'
    if (isWrong && failures === failuresToNotify) await notifyOfWrongCodes(services, userId)
    throw error
  }
}

async function enter(services: Services, userId: number, given: GivenStep, client: Client): Promise<Session> {
  const used = given.passkey && (await checkPasskey(services, given.passkey))
  if (used && used.user_id !== userId) throw passkeyRefused()
  return transaction(services.db, 'complete-sign-in', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw codeInvalid()
    if (used) {
      await recordPasskeyUse(tx, used)
      await forgiveTries(services, tx, userId)
    } else await useSecondFactor(services, tx, userId, given)
    await consumeSecondStep(tx, given.signin_token)
    await tx.none(
      accountsSql.recordNetwork({ user_id: userId, network: limitSubject(services.config, client.address) }),
    )
    return sessionOf(user, await issueToken(services, tx, userId, { ...client, method: 'second_factor' }))
  })
}

function notifyOfWrongCodes(services: Services, userId: number): Promise<void> {
  return transaction(services.db, 'notify-of-wrong-codes', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || user.email === null) return
    await enqueueMessage(services, tx, {
      template: 'wrong-codes',
      user_id: userId,
      message: wrongCodesMail(user.email, services.config.PUBLIC_URL),
      expiresInSeconds: 86_400,
    })
  })
}
