import { normaliseEmail } from '#server/contact/email.ts'
import { splitFullName } from '#server/contact/name.ts'
import { invalidField } from '#server/http/errors.ts'
import { refuseWeakPassword } from '#server/passwords/policy.ts'
import type { Services } from '#server/services.ts'
import { createUser } from './create-user.ts'
import { issueToken } from './issue-token.ts'
import { type Session, sessionOf } from './session.ts'

export interface EmailRegistration {
  email: string
  password: string
  full_name?: string
}

/**
 * Registers an account and signs it in at once (spec 4.5). The password is hashed before the address is looked at, so
 * that a taken address costs the same time (threats T35). Throws `email_in_use`, `invalid_request`, `unavailable`.
 */
export async function registerByEmail(services: Services, given: EmailRegistration): Promise<Session> {
  const email = acceptEmail(given.email)
  refuseWeakPassword(given.password, 'password', email)
  const password_hash = await services.passwords.hash(given.password)
  return services.db.tx('register-by-email', async (tx) => {
    const user = await createUser(tx, { email, ...splitFullName(given.full_name), password_hash })
    return sessionOf(user, await issueToken(tx, user.id))
  })
}

/** The normalised address, or `invalid_request` naming the field. */
export function acceptEmail(text: string, field = 'email'): string {
  const email = normaliseEmail(text)
  if (email === null) throw invalidField(field, 'invalid_email', 'is not an e-mail address that we can write to')
  return email
}
