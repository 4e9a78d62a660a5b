import { sql } from '#server/db/index.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { accounts } from '#shared/contract/accounts.ts'
import { logInByPassword } from './log-in-by-password.ts'
import { registerByEmail } from './register-by-email.ts'

const deleteToken = sql(import.meta.url, './sql/delete-token.sql')

export function accountsRoutes(services: Services): Handlers<typeof accounts> {
  return {
    registerByEmail: async ({ body }) => ({ status: 201, body: await registerByEmail(services, body) }),
    logInByPassword: async ({ body }) => ({ status: 200, body: await logInByPassword(services, body) }),

    validateToken: async (_input, { principal }) => ({ status: 200, body: { valid: true, user: principal.user } }),

    logOut: async (_input, { principal }) => {
      await services.db.none(deleteToken, { user_id: principal.user_id, token_hash: principal.token_hash })
      return { status: 200, body: { detail: 'You are signed out.' } }
    },
  }
}
