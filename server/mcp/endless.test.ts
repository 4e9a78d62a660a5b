import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  // A budget of 8 MB for an account.
  server = await startTestServer({
    works: false,
    environment: { REQUEST_BODIES_MB: '32' },
    limits: { mcpMs: 1_000, keyPerMinute: 20 },
  })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

const modern = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const call = (id: number, name: string, given: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } },
})

interface Sent {
  status: Promise<number>
  leave(): void
}

/** Sends a message with blanks up to `bytes`. */
function post(message: unknown, version = '2025-06-18', bytes = 0): Sent {
  const { hostname, port } = new URL(server.url)
  const headers: Record<string, string> = {
    ...seller.key,
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    'mcp-protocol-version': version,
  }
  if (version === modern) headers['mcp-method'] = (message as { method: string }).method
  const sending = request({ hostname, port, method: 'POST', path: '/mcp', headers, agent: false })
  const status = new Promise<number>((resolve) => {
    sending.on('error', () => resolve(0))
    sending.on('response', (response) =>
      response
        .on('error', () => resolve(0))
        .on('end', () => resolve(response.statusCode ?? 0))
        .resume(),
    )
  })
  sending.end(JSON.stringify(message).padEnd(bytes))
  return { status, leave: () => sending.destroy() }
}

const listen = (notifications: object) => ({
  ...{ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen' },
  params: { notifications, _meta: envelope },
})
/** The answer to a cancelled call never comes. */
const cancelled = [
  call(1, 'search_inventory'),
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
]

/** Returns the statuses of the finished requests to `/mcp` of this seller. */
const logged = () =>
  server.logged
    .map((line) => JSON.parse(line))
    .filter(({ msg, path, user_id }) => msg === 'request' && path === '/mcp' && user_id === seller.user_id)
    .map(({ status }) => status)

/** Returns the status of a body of nearly the whole budget of the account. */
const sendLarge = async () => {
  const sent = await fetch(`${server.url}/api/v1/extension/imports/job_AAAAAAAAAAAAAAAAAAAAAA/batches/`, {
    method: 'POST',
    headers: { ...seller.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ batch_id: 'b', listings: [] }).padEnd(7_500_000),
  })
  await sent.arrayBuffer()
  return sent.status
}

describe('an answer at /mcp', () => {
  it.each([{ toolsListChanged: true }, { promptsListChanged: true }, { resourceSubscriptions: ['x'] }, {}])(
    'ends for a subscription: %j',
    async (notifications) => {
      expect([200, 400, 404]).toContain(await post(listen(notifications), modern).status)
      expect(logged()).toHaveLength(1)
    },
  )

  it('ends after a time if nothing answers', async () => {
    expect(await post(cancelled).status).toBe(503)
    expect(logged()).toEqual([503])
  })

  it('ends after a time while its tool waits', async () => {
    const { db } = server.services
    await db.tx(async (tx) => {
      await tx.none('lock table inventory_item in access exclusive mode')
      expect(await post(call(1, 'search_inventory')).status).toBe(503)
      expect(logged()).toEqual([503])
    })
    expect(await post(call(1, 'search_inventory')).status).toBe(200)
  })

  it('ends with its client, and is logged', async () => {
    const sent = Array.from({ length: 3 }, () => post(cancelled, undefined, 900_000))
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const { leave } of sent) leave()
    await until(() => logged().length === 3)
    expect(logged()).toEqual([503, 503, 503])
  })

  it('holds its body in memory until then only', async () => {
    const sent = Array.from({ length: 8 }, () => post(listen({ toolsListChanged: true }), modern, 900_000))
    for (const { status } of sent) await status
    const more = Array.from({ length: 8 }, () => post(cancelled, undefined, 900_000))
    for (const { status } of more) expect([503, 0]).toContain(await status)
    expect(await sendLarge()).toBe(404)
  })
})

describe('a message at /mcp', () => {
  it('is counted whatever becomes of it', async () => {
    const left = async () => {
      const { headers } = await fetch(`${server.url}/api/v1/inventory/`, { headers: seller.key })
      return Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    expect(await left()).toBe(19)
    await post(listen({ toolsListChanged: true }), modern).status
    expect(await left()).toBe(17)
    expect(await post('no message').status).toBe(400)
    expect(await left()).toBe(15)
    const { leave, status } = post({ jsonrpc: '2.0', id: 1, method: 'ping' }, undefined, 100_000)
    leave()
    await status
    const broken = await fetch(`${server.url}/mcp`, { method: 'POST', headers: seller.key, body: '{' })
    expect(broken.status).toBe(400)
    expect(await left()).toBeLessThanOrEqual(13)
  })

  it('is refused where the key has no requests left', async () => {
    for (let sent = 0; sent < 20; sent++) await post({ jsonrpc: '2.0', id: 1, method: 'ping' }).status
    expect(await post(listen({ toolsListChanged: true }), modern).status).toBe(429)
    expect(await post('no message').status).toBe(429)
  })
})

it('announces no changes of the tools', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: seller.key },
  })
  await client.connect(transport)
  expect(client.getServerCapabilities()?.tools?.listChanged).not.toBe(true)
  await client.close()
  expect((await apiOf(server.url)('GET', '/healthz')).status).toBe(200)
})
