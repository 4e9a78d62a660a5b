import type { z } from 'zod'
import { splitFullName } from '#server/accounts/contact/name.ts'
import { parseEmail } from '#server/accounts/contact/parse-email.ts'
import { parsePhone } from '#server/accounts/contact/parse-phone.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { enforceTextLimits } from '#server/accounts/limits/text-limits.ts'
import { refuseBreachedPassword } from '#server/accounts/passwords/breached.ts'
import { refuseWeakPassword } from '#server/accounts/passwords/policy.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { admit, invitationHashOf, refuseStranger } from '#server/accounts/registration/admit.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import type { VerifiedUser } from '#shared/contract/account/accounts.ts'
import { createUser } from '../create-user.ts'
import { answerChallenge, beginChallenge, consumeChallenge } from './phone-challenge.ts'

interface PhoneRegistration {
  phone_number: string
  email?: string
  password?: string
  full_name?: string
  invitation?: string
}

/**
 * Begins a registration by phone: stores the data and sends the code, also for a number with an account. Throws
 * `registration_closed`, `invalid_request`, `country_not_supported`, `rate_limited`, `platform_not_configured`.
 */
export async function beginPhoneRegistration(
  services: Services,
  given: PhoneRegistration,
  address: string,
): Promise<{ signup_token: string; expires_at: string }> {
  const invitation_hash = invitationHashOf(given.invitation)
  await refuseStranger(services, invitation_hash)
  const phone = parsePhone(services.config, given.phone_number)
  const email = given.email === undefined ? null : parseEmail(given.email)
  if (given.password !== undefined) {
    refuseWeakPassword(given.password, 'password', email)
    await refuseBreachedPassword(services, given.password, 'password')
  }
  const password_hash = given.password === undefined ? null : await services.passwords.hash(given.password)
  return transaction(services.db, 'begin-phone-registration', async (tx) => {
    const caller = await enforceTextLimits(services, tx, phone, address)
    const signup = { email, password_hash, invitation_hash, ...splitFullName(given.full_name) }
    const { token, expires_at } = await beginChallenge(services, tx, 'signup', phone, caller, signup)
    return { signup_token: token, expires_at }
  })
}

/**
 * Completes a registration by phone and signs the account in. Throws `code_invalid`,
 * `registration_closed`, `email_in_use`, `phone_in_use`.
 */
export async function verifyPhoneRegistration(
  services: Services,
  given: { signup_token: string; code: string },
  client: Client,
): Promise<{ user: z.infer<typeof VerifiedUser>; token: string }> {
  const challenge = await answerChallenge(services, 'signup', { token: given.signup_token, code: given.code })
  return transaction(services.db, 'verify-phone-registration', async (tx) => {
    await consumeChallenge(tx, challenge)
    const admission = await admit(services, tx, challenge.invitation_hash)
    const named = {
      email: challenge.email,
      phone_number: challenge.phone_number,
      phone_verified: true,
      first_name: challenge.first_name,
      last_name: challenge.last_name,
      password_hash: challenge.password_hash,
    }
    const user = await createUser(services, tx, named, admission)
    await tx.none(
      accountsSql.recordNetwork({ user_id: user.id, network: limitSubject(services.config, client.address) }),
    )
    const token = await issueToken(services, tx, user.id, { ...client, method: 'registration' })
    if (token === null) throw new Error('no token was issued to an account made in this transaction')
    return { user, token }
  })
}
