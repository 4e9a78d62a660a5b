import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel, type Reply, someAddress, statuses } from '#e2e/harness/api.ts'
import { createFrozenDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createApp } from '#server/app.ts'
import { newSecret } from '../credentials/credentials.ts'
import { realLimits } from './limit-settings.ts'

let server: TestServer
let second: Server
let api: Api
let both: Api[]
beforeAll(async () => {
  // Everything within one minute, however long it takes.
  const database = await createFrozenDatabase()
  server = await startTestServer({ works: false, environment: { TRUSTED_HOPS: '1' }, limits: realLimits, database })
  second = createServer(createApp(server.services).callback())
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve))
  api = apiOf(server.url)
  both = [api, apiOf(`http://127.0.0.1:${(second.address() as AddressInfo).port}`)]
})
afterAll(async () => {
  second?.closeAllConnections()
  second?.close()
  await server?.close()
})

const platforms = '/api/v1/platforms/'
const refusals = (replies: Reply[]) => replies.filter(({ status }) => status === 429)

describe('general rate limits', () => {
  it('allow 600 requests a minute of a key over two servers', async () => {
    const account = await buildAccount(server.services.db)
    const replies: Reply[] = []
    for (let round = 0; round < 10; round++) {
      replies.push(...(await parallel(64, (index) => both[index % 2]!('GET', platforms, { headers: account.key }))))
    }
    expect(refusals(replies)).toHaveLength(640 - 600)
    const refused = refusals(replies)[0]!
    expect(refused.body.code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit-policy')).toContain('"key";q=600;w=60')
    // Refused requests of a key do not count against its user.
    const session = await api('GET', '/api/auth/validate/', { headers: account.bearer })
    expect(session.headers.get('ratelimit')).toMatch(/^"user";r=599;t=\d+$/)
  })

  it('allow 1,200 requests a minute of a user over all sessions', async () => {
    const account = await buildAccount(server.services.db)
    const other = await buildAccount(server.services.db)
    await server.services.db.none('update bearer_token set user_id = $1 where user_id = $2', [
      account.user_id,
      other.user_id,
    ])
    const replies: Reply[] = []
    for (let round = 0; round < 20; round++) {
      replies.push(
        ...(await parallel(64, (index) =>
          both[index % 2]!('GET', '/api/auth/validate/', { headers: index % 3 ? account.bearer : other.bearer }),
        )),
      )
    }
    expect(statuses(replies)).toEqual({ 200: 1200, 429: 80 })
  })

  it('allow 20 token requests a minute of an address', async () => {
    const from = someAddress()
    const replies = await parallel(64, (index) =>
      both[index % 2]!('POST', '/api/auth/login/', { from, body: { email: `x${index}@example.com`, password: 'y' } }),
    )
    expect(statuses(replies)).toEqual({ 401: 20, 429: 44 })
  })

  it('allow 100 anonymous requests a minute of an address', async () => {
    const spellings = [
      '2001:db8:7:9::1',
      '2001:0DB8:0007:0009:0:0:0:1',
      '[2001:db8:7:9::1]',
      '2001:db8:7:9:ffff:ffff:ffff:ffff',
      '6.6.6.6, 2001:db8:7:9::2',
      'unknown, 127.0.0.1, 2001:db8:7:9:a::b',
    ]
    const replies = await parallel(240, (index) =>
      both[index % 2]!('GET', platforms, {
        from: spellings[index % spellings.length],
        headers: { forwarded: `for=10.0.0.${index}`, 'x-real-ip': `10.0.1.${index}` },
      }),
    )
    expect(statuses(replies)).toEqual({ 401: 100, 429: 140 })
  })

  it('count the public page of an item as an anonymous request', async () => {
    const from = someAddress()
    const replies = await parallel(120, () =>
      api('GET', `/items/inv_${'1'.repeat(22)}`, { from, headers: { accept: 'application/json' } }),
    )
    expect(statuses(replies)).toEqual({ 404: 100, 429: 20 })
  })

  it('count all invalid addresses as one', async () => {
    const replies = await parallel(160, (index) => api('GET', platforms, { from: `nonsense-${index}` }))
    expect(statuses(replies)).toEqual({ 401: 100, 429: 60 })
  })

  it('stop guesses of tokens without stopping valid sessions', async () => {
    const from = someAddress()
    const account = await buildAccount(server.services.db)
    const seen: number[] = []
    for (let round = 0; round < 130 && seen.at(-1) !== 429; round++) {
      const headers = { authorization: `Bearer ${newSecret('hpxt')}` }
      seen.push((await api('GET', platforms, { from, headers })).status)
    }
    expect(seen.at(-1)).toBe(429)
    expect(seen.length).toBeGreaterThanOrEqual(101)
    expect((await api('GET', '/api/auth/validate/', { from, headers: account.bearer })).status).toBe(200)
  })
})
