import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { connectShop } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { deactivateAccount } from './deactivate.ts'
import { closesAfterAuthorization } from './testing/closes-after-authorization.ts'

/** A request that is authorized just before its account is closed and runs just after. */
let apple: AppleSandbox
let ebay: TestPlatform
let server: TestServer
let api: Api
const closing = closesAfterAuthorization()
beforeAll(async () => {
  apple = await startAppleSandbox()
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({
    works: false,
    platforms: [ebay.adapter],
    passwords: cheapPasswords,
    environment: apple.environment,
    prepare: closing.prepare,
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await apple?.close()
})

const password = 'paper lantern 42'
const item = {
  title: 'Wool coat',
  images: ['https://example.com/coat.jpg'],
  condition: { label: 'Good' },
  offer: { price_minor: 8_500, currency: 'USD' },
}
const operations: [string, string, string | ((account: TestAccount) => Promise<string>), (object | (() => object))?][] =
  [
    [
      'a password change',
      'POST',
      '/api/auth/password/change/',
      { current_password: password, new_password: 'quiet harbour 77', new_password_confirm: 'quiet harbour 77' },
    ],
    ['a verification mail', 'POST', '/api/auth/email-verification/request/'],
    ['a new key', 'POST', '/api/v1/api-keys/', { name: 'late' }],
    ['a rotated key', 'POST', async (account) => `/api/v1/api-keys/${await keyOf(account)}/rotate/`],
    ['the start of a connection', 'POST', '/api/v1/platforms/ebay/connect/'],
    ['an import', 'POST', '/api/v1/marketplace/ebay/import/'],
    [
      'an import by the extension',
      'POST',
      '/api/v1/extension/imports/',
      { platform: 'depop', shop: { username: 'ada', url: 'https://www.depop.com/ada/' } },
    ],
    ['an item', 'POST', '/api/v1/inventory/', item],
    [
      'an address',
      'PUT',
      '/api/v1/user/address/',
      { full_name: 'Ada', line1: 'Main St 1', city: 'Troy', postal_code: '12180', region: 'NY', country: 'US' },
    ],
    ['listing defaults', 'PUT', '/api/v1/platforms/ebay/listing-defaults/', { marketplace_id: 'EBAY_US' }],
    ['settings', 'PUT', '/api/v1/user/settings/', { default_currency: 'USD' }],
    ['a webhook', 'POST', '/api/v1/webhooks/', { url: 'https://93.184.216.34/hook' }],
  ]

const keyOf = async ({ user_id }: TestAccount) =>
  (await server.services.db.one('select id from api_key where user_id = $1', [user_id])).id

/** Returns every row of an account by table, except the audit trail, which records refusals too. */
async function belongings(user_id: number): Promise<Record<string, unknown[]>> {
  const { db } = server.services
  const tables = await db.map(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'user_id'
       and table_name not in ('api_usage', 'audit_log', 'outbox_message') order by 1`,
    [],
    ({ name }: { name: string }) => name,
  )
  const rows = await Promise.all(
    tables.map((name) => db.any(`select each::text from "${name}" each where user_id = $1 order by 1`, [user_id])),
  )
  return Object.fromEntries(tables.map((name, index) => [name, rows[index]!]))
}

describe('an account closed between authorization and work', () => {
  it.each(operations)('keeps nothing of %s', async (_name, method, path, body) => {
    const [account, twin] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    for (const each of [account, twin]) {
      ebay.seller = { id: `shop-${each.user_id}`, name: `shop-${each.user_id}` }
      await connectShop(server.url, each, 'ebay')
      await server.services.db.none('update app_user set password_hash = $2 where id = $1', [
        each.user_id,
        `cheap:${password}`,
      ])
    }
    const call = async (each: TestAccount) =>
      api(method, typeof path === 'string' ? path : await path(each), {
        headers: each.bearer,
        ...(body && { body: typeof body === 'function' ? body() : body }),
      })
    // The same request works for an open account, so the refusal below is due to closing alone.
    const open = await call(twin)
    expect([open.status, open.body]).toEqual([expect.toSatisfy((status: number) => status < 300), open.body])
    const target = typeof path === 'string' ? path : await path(account)
    // The remains of closing without a concurrent request.
    closing.next(account.user_id)
    const reply = await api(method, target, { headers: account.bearer, ...(body && { body }) })
    expect(closing.isWaiting()).toBe(false)
    const left = await belongings(account.user_id)
    expect(left.bearer_token).toEqual([])
    expect(left.api_key).toEqual([])
    expect(reply.status, JSON.stringify(reply.body)).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    const quiet = await buildAccount(server.services.db)
    ebay.seller = { id: `shop-${quiet.user_id}`, name: `shop-${quiet.user_id}` }
    await connectShop(server.url, quiet, 'ebay')
    await deactivateAccount(server.services, quiet.user_id)
    const counts = (rows: Record<string, unknown[]>) =>
      Object.fromEntries(Object.entries(rows).map(([name, each]) => [name, each.length]))
    expect(counts(left)).toEqual(counts(await belongings(quiet.user_id)))
  })
})
