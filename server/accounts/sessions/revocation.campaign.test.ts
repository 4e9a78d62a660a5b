import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, type Reply } from '#e2e/harness/api.ts'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

/**
 * Uses a credential 64 times at once while it is revoked. Requests that begin after the revocation's response must
 * fail; concurrent ones may go either way.
 */
const count = rounds(10)

let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ works: false, passwords: cheapPasswords })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

const validate = (account: TestAccount) => api('GET', '/api/auth/validate/', { headers: account.bearer })
const callByKey = (account: TestAccount) => api('GET', '/api/v1/platforms/', { headers: account.key })
const keyId = async (account: TestAccount) =>
  (await server.services.db.one('select id from api_key where user_id = $1', [account.user_id])).id

const revocations: [string, (account: TestAccount) => Promise<Reply>, (account: TestAccount) => Promise<Reply>][] = [
  ['signing out', validate, ({ bearer }) => api('POST', '/api/auth/logout/', { headers: bearer })],
  [
    'closing the account, for a token',
    validate,
    ({ bearer }) => api('POST', '/api/v1/user/deactivate/', { headers: bearer }),
  ],
  [
    'closing the account, for a key',
    callByKey,
    ({ bearer }) => api('POST', '/api/v1/user/deactivate/', { headers: bearer }),
  ],
  [
    'changing the password',
    validate,
    async ({ bearer, user_id }) => {
      await server.services.db.none("update app_user set password_hash = 'cheap:paper lantern 42' where id = $1", [
        user_id,
      ])
      const body = {
        current_password: 'paper lantern 42',
        new_password: 'quiet harbour 77',
        new_password_confirm: 'quiet harbour 77',
      }
      return api('POST', '/api/auth/password/change/', { headers: bearer, body })
    },
  ],
  [
    'deleting a key',
    callByKey,
    async (account) => api('DELETE', `/api/v1/api-keys/${await keyId(account)}/`, { headers: account.bearer }),
  ],
  [
    'rotating a key',
    callByKey,
    async (account) => api('POST', `/api/v1/api-keys/${await keyId(account)}/rotate/`, { headers: account.bearer }),
  ],
]

describe('rejects requests that begin after the revocation', () => {
  it.each(revocations)('%s', { timeout: roundsTimeoutMs(count) }, async (_name, use, revoke) => {
    let late = 0
    for (let round = 0; round < count; round++) {
      const account = await buildAccount(server.services.db)
      let revokedAtMs = Number.POSITIVE_INFINITY
      const uses = parallel(64, async (index) => {
        // Spread over the time of the revocation.
        for (let step = 0; step < index % 8; step++) await new Promise((resolve) => setImmediate(resolve))
        const startedMs = performance.now()
        return { startedMs, status: (await use(account)).status }
      })
      const revoked = await revoke(account)
      revokedAtMs = performance.now()
      expect([200, 204]).toContain(revoked.status)
      const after = await parallel(4, async () => ({
        startedMs: performance.now(),
        status: (await use(account)).status,
      }))
      for (const { startedMs, status } of [...(await uses), ...after]) {
        if (startedMs <= revokedAtMs) continue
        late++
        expect(status).toBe(401)
      }
    }
    expect(late).toBeGreaterThanOrEqual(count * 4)
  })
})
