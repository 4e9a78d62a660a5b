import { afterAll, beforeAll, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { TRUSTED_HOPS: '1' } })
})
afterAll(() => server?.close())

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:198.18.0.9', '198.18.0.9'],
  ['198.18.0.7', '198.18.0.7'],
])('requests of a tool come from the address of its client: %s', async (address, recorded) => {
  // Reading the item is refused, which the audit trail records.
  const { key, user_id } = await buildAccount(server.services.db, { scopes: ['listings:write'] })
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...key,
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      'x-forwarded-for': address,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'mark_sold', arguments: { uid: 'inv_AAAAAAAAAAAAAAAAAAAAAA' } },
    }),
  })
  await until(
    () => server.services.db.map('select address from audit_log where user_id = $1', [user_id], (row) => row.address),
    (addresses) => addresses.length === 1 && addresses[0] === recorded,
  )
})
