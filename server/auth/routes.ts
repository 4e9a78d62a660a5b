import { sql } from '#server/db/index.ts'
import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { accounts, User } from '#shared/contract/accounts.ts'
import { logInByPassword } from './log-in-by-password.ts'
import { registerByEmail } from './register-by-email.ts'

const findUser = sql(import.meta.url, './sql/find-user.sql')
const deleteToken = sql(import.meta.url, './sql/delete-token.sql')

export function accountsRoutes(services: Services): Handlers<typeof accounts> {
  return {
    registerByEmail: async ({ body }) => ({ status: 201, body: await registerByEmail(services, body) }),
    logInByPassword: async ({ body }) => ({ status: 200, body: await logInByPassword(services, body) }),

    validateToken: async (_input, { principal }) => {
      const user = await services.db.oneOrNone<User>(findUser, { user_id: principal.user_id })
      // Deactivated since the token was looked up.
      if (!user) throw problem('unauthenticated')
      return { status: 200, body: { valid: true, user } }
    },

    logOut: async (_input, { principal }) => {
      await services.db.none(deleteToken, { user_id: principal.user_id, token_hash: principal.token_hash })
      return { status: 200, body: { detail: 'You are signed out.' } }
    },
  }
}
