import { normaliseEmail } from '#server/contact/email.ts'
import { sql } from '#server/db/index.ts'
import { problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import type { User } from '#shared/contract/accounts.ts'
import { issueToken } from './issue-token.ts'
import { type Session, sessionOf } from './session.ts'

const findUserByEmail = sql(import.meta.url, './sql/find-user-by-email.sql')

type Account = User & { password_hash: string | null; state: string }

/**
 * Signs in with e-mail and password (decisions 4). An unknown address, an account without password, a deactivated one
 * and a wrong password are one answer and cost one hash each. Throws `invalid_credentials`, `unavailable`.
 */
export async function logInByPassword(
  services: Services,
  given: { email: string; password: string },
): Promise<Session> {
  const email = normaliseEmail(given.email)
  const account = email === null ? null : await services.db.oneOrNone<Account>(findUserByEmail, { email })
  const right = await services.passwords.verify(account?.password_hash ?? null, given.password)
  const token = right && account ? await issueToken(services.db, account.id, account.password_hash) : null
  if (!account || token === null) throw wrongCredentials()
  return sessionOf(account, token)
}

const wrongCredentials = () =>
  problem('invalid_credentials', undefined, { headers: { 'www-authenticate': 'Bearer realm="hapax"' } })
