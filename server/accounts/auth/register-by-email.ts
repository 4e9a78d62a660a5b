import { splitFullName } from '#server/accounts/contact/name.ts'
import { refuseBreachedPassword } from '#server/accounts/passwords/breached.ts'
import { refuseWeakPassword } from '#server/accounts/passwords/policy.ts'
import { sql } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { acceptEmail } from './accept-email.ts'
import { limitSubject } from './account-keys.ts'
import { admit, tryAdmit } from './admit.ts'
import { createUser } from './create-user.ts'
import { issueToken } from './issue-token.ts'
import { type Session, sessionOf } from './session.ts'
import type { Client } from './sessions/origin.ts'
import { sendVerification } from './verify-email.ts'

const noteNetwork = sql(import.meta.url, './sql/record-network.sql')

export interface EmailRegistration {
  email: string
  password: string
  full_name?: string
}

/**
 * Registers an account and signs it in at once (spec 4.5), with the mail that verifies its address: who never does loses the
 * address to whoever proves it. The password is hashed before the address is looked at, so
 * that a taken address costs the same time. Throws `email_in_use`, `invalid_request`, `unavailable`.
 */
export async function registerByEmail(services: Services, given: EmailRegistration, client: Client): Promise<Session> {
  const { address } = client
  const email = acceptEmail(given.email)
  refuseWeakPassword(given.password, 'password', email)
  await refuseBreachedPassword(services, given.password, 'password')
  const password_hash = await services.passwords.hash(given.password)
  try {
    return await services.db.tx('register-by-email', async (tx) => {
      const user = await createUser(services, tx, { email, ...splitFullName(given.full_name), password_hash })
      await tx.none(noteNetwork, { user_id: user.id, network: limitSubject(services.config, address) })
      await sendVerification(services, tx, { user_id: user.id, email })
      return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'registration' }))
    })
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'email_in_use') await countTaken(services, email, address)
    throw error
  }
}

/**
 * That an address is taken cannot be hidden here, since a token is given at once; but nobody is told of many
 *. Hearing of the same one again teaches nothing, and does not count.
 */
async function countTaken({ config, db, limits }: Services, email: string, address: string): Promise<void> {
  const pair = limitSubject(config, `${address} ${email}`)
  if ((await tryAdmit(db, 'taken-email', pair, [{ max: 1, seconds: 3600 }])) !== null) return
  await admit(db, 'taken-emails', limitSubject(config, address), [{ max: limits.takenEmailsPerHour, seconds: 3600 }])
}
