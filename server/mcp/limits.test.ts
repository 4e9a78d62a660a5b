import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { createFrozenDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  const database = await createFrozenDatabase()
  server = await startTestServer({ works: false, limits: { ...realLimits, keyPerMinute: 20 }, database })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

/** Sends a message to `/mcp`. Returns the status, and how many requests of the key are left. */
async function send(method: string, params: object = {}) {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...seller.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const left = /"key";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  return { status: response.status, left: Number(left), text: await response.text() }
}

const use = (name: string, given: object = {}) => send('tools/call', { name, arguments: given })
const usage = async () => (await apiOf(server.url)('GET', '/api/v1/api-usage/', { headers: seller.bearer })).body.total
const unknown = { uid: 'inv_AAAAAAAAAAAAAAAAAAAAAA' }

describe('the limits of a key at /mcp', () => {
  it('count a message once', async () => {
    expect(await send('tools/list')).toMatchObject({ status: 200, left: 19 })
    expect(await send('ping')).toMatchObject({ status: 200, left: 18 })
  })

  it('count a tool by the requests that it makes', async () => {
    expect(await use('search_inventory')).toMatchObject({ status: 200, left: 19 })
    // Reads the totals and the newest sales.
    expect(await use('sales_figures')).toMatchObject({ status: 200, left: 17 })
    expect(await send('tools/list')).toMatchObject({ left: 16 })
  })

  it('count a tool that makes no request once', async () => {
    expect(await use('end_listing', { ...unknown, platform: 'ebay', confirmation: 'x' })).toMatchObject({ left: 19 })
    expect(await use('no_such_tool')).toMatchObject({ left: 18 })
  })

  it('refuse what exceeds them, in the protocol for a tool', async () => {
    for (let left = 19; left >= 0; left--) expect(await send('ping')).toMatchObject({ status: 200, left })
    expect(await send('ping')).toMatchObject({ status: 429, left: 0 })
    const { status, text } = await use('search_inventory')
    expect([status, text.includes('rate_limited')]).toEqual([200, true])
  })

  it('count as the usage of the key does', async () => {
    await send('tools/list')
    expect(await usage()).toBe(1)
    await use('search_inventory')
    await use('sales_figures')
    expect(await usage()).toBe(4)
    expect(await use('no_such_tool')).toMatchObject({ left: 15 })
    expect(await usage()).toBe(5)
  })
})
