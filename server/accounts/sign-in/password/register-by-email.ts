import { splitFullName } from '#server/accounts/contact/name.ts'
import { parseEmail } from '#server/accounts/contact/parse-email.ts'
import { sendVerification } from '#server/accounts/email-verification/verify-email.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { enforceLimit, tryLimit } from '#server/accounts/limits/event-limits.ts'
import { refuseBreachedPassword } from '#server/accounts/passwords/breached.ts'
import { refuseWeakPassword } from '#server/accounts/passwords/policy.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { admit, invitationHashOf, refuseStranger } from '#server/accounts/registration/admit.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { createUser } from '../create-user.ts'

interface EmailRegistration {
  email: string
  password: string
  full_name?: string
  invitation?: string
}

/**
 * Registers an account, signs it in and sends the mail that verifies its address. Until then, the first person to verify
 * the address gets it. Hashes the password before checking the address, so that a taken one costs the same time. Throws
 * `registration_closed`, `email_in_use`, `invalid_request`, `unavailable`.
 */
export async function registerByEmail(services: Services, given: EmailRegistration, client: Client): Promise<Session> {
  const { address } = client
  const invitation = invitationHashOf(given.invitation)
  await refuseStranger(services, invitation)
  const email = parseEmail(given.email)
  refuseWeakPassword(given.password, 'password', email)
  await refuseBreachedPassword(services, given.password, 'password')
  const password_hash = await services.passwords.hash(given.password)
  try {
    return await transaction(services.db, 'register-by-email', async (tx) => {
      const admission = await admit(services, tx, invitation)
      const named = { email, ...splitFullName(given.full_name), password_hash }
      const user = await createUser(services, tx, named, admission)
      await tx.none(accountsSql.recordNetwork({ user_id: user.id, network: limitSubject(services.config, address) }))
      await sendVerification(services, tx, { user_id: user.id, email })
      return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'registration' }))
    })
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'email_in_use') await limitTakenEmails(services, email, address)
    throw error
  }
}

/**
 * Limits how many taken addresses one client can discover: the response must reveal them, since it contains a token.
 * Repeating an address teaches nothing and does not count.
 */
async function limitTakenEmails({ config, db, limits }: Services, email: string, address: string): Promise<void> {
  const pair = limitSubject(config, `${address} ${email}`)
  if ((await tryLimit(db, 'taken-email', pair, [{ max: 1, seconds: 3600 }])) !== null) return
  await enforceLimit(db, 'taken-emails', limitSubject(config, address), [
    { max: limits.takenEmailsPerHour, seconds: 3600 },
  ])
}
