import { expect } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import type { TestServer } from '#e2e/harness/server.ts'

export const newPassword = 'quiet harbour 77'

/** Returns helpers for the steps that recover an account and verify a mailbox. */
export function mailboxSteps(server: () => TestServer) {
  const api: Api = (...call) => apiOf(server().url)(...call)
  const request = (email: string) => api('POST', '/api/auth/password/reset/request/', { body: { email } })
  return {
    api,
    request,
    check: (token: string) => api('POST', '/api/auth/password/reset/verify/', { body: { token } }),
    confirm: (token: string, password = newPassword) =>
      api('POST', '/api/auth/password/reset/confirm/', { body: { token, password, password_confirm: password } }),
    logIn: (email: string, password: string) => api('POST', '/api/auth/login/', { body: { email, password } }),
    validate: async (token: string) => (await api('GET', '/api/auth/validate/', { headers: bearer(token) })).status,
    verify: (token: string, password?: string) =>
      api('POST', '/api/auth/email-verification/confirm/', { body: { token, password } }),

    async resetToken(email: string, count = 1): Promise<string> {
      expect((await request(email)).status).toBe(200)
      return tokenIn(await waitForMessage(server().services, email, 'password-reset', count))
    },

    async verificationToken(account: { email: string; token: string }, count = 1): Promise<string> {
      const reply = await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
      expect(reply.status).toBe(200)
      return tokenIn(await waitForMessage(server().services, account.email, 'email-verification', count))
    },
  }
}
