import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { newId } from '#shared/identity.ts'
import { pathOf } from '../testing/request-parts.ts'

const batches = `/api/v1/extension/imports/${newId('job')}/batches/`
const json = { 'content-type': 'application/json' }

let server: TestServer
/** A budget of 32 MB, so 8 MB per client. */
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { REQUEST_BODIES_MB: '32' } })
})
afterAll(() => server?.close())

const open: ClientRequest[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.destroy()
})

interface Sending {
  sending: ClientRequest
  answer: Promise<{ status: number; headers: IncomingMessage['headers']; code?: string }>
  isAnswered(): boolean
}

/** Begins a request and leaves it open. */
function begin(method: string, path: string, headers: Record<string, string>, target = server): Sending {
  const { hostname, port } = new URL(target.url)
  const sending = request({ hostname, port, method, path, headers, agent: false })
  open.push(sending)
  let isAnswered = false
  const answer = new Promise<Awaited<Sending['answer']>>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      isAnswered = true
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, code: text && JSON.parse(text).code })
    })
  })
  // Requests are left open.
  answer.catch(() => {})
  sending.flushHeaders()
  return { sending, answer, isAnswered: () => isAnswered }
}

/** Sends a batch of `bytes` to an unknown import, which answers 404 once it has read it. */
function sendBatch(account: TestAccount, bytes: number) {
  const body = JSON.stringify({ batch_id: 'b', listings: [] }).padEnd(bytes)
  const { sending, answer } = begin('POST', batches, { ...account.key, ...json, 'content-length': String(bytes) })
  sending.end(body)
  return answer
}

/** More than the remainder when 7.99 MB of 8 are held. */
const tooMuch = 20_000

/** Waits until the account's next batch is refused, or accepted again. */
const untilBatch = (account: TestAccount, status: number) =>
  expect.poll(async () => (await sendBatch(account, tooMuch)).status).toBe(status)

describe('bodies in memory', () => {
  const ways: [string, (account: TestAccount) => Sending][] = [
    ['by their declared length', ({ key }) => begin('POST', batches, { ...key, ...json, 'content-length': '7990000' })],
    [
      'as their chunks arrive',
      ({ key }) => {
        const begun = begin('POST', batches, { ...key, ...json, 'transfer-encoding': 'chunked' })
        begun.sending.write(' '.repeat(7_990_000))
        return begun
      },
    ],
    [
      'as they are unpacked',
      ({ key }) => {
        const packed = gzipSync(' '.repeat(7_990_000))
        const headers = { ...key, ...json, 'content-encoding': 'gzip', 'content-length': String(packed.length) }
        const begun = begin('POST', batches, headers)
        begun.sending.write(packed.subarray(0, -9))
        return begun
      },
    ],
  ]

  it.each(ways)('count %s, until the client leaves', async (_name, hold) => {
    const [account, other] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    let held = hold(account)
    const ask = async () => {
      // The held request may itself be refused, in favor of the probing one.
      if (held.isAnswered()) held = hold(account)
      return (await sendBatch(account, tooMuch)).status
    }
    // Rarely, so that nothing is held between two probes.
    await expect.poll(ask, { interval: 1_000 }).toBe(503)
    const refused = await sendBatch(account, tooMuch)
    expect(refused).toMatchObject({ status: 503, code: 'unavailable' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await sendBatch(other, 2_000_000)).status).toBe(404)
    expect((await sendBatch(account, 10_000)).status).toBe(404)
    held.sending.destroy()
    await untilBatch(account, 404)
  })

  it('are refused at the process limit, except small ones', async () => {
    const holders = await Promise.all(Array.from({ length: 4 }, () => buildAccount(server.services.db)))
    const account = await buildAccount(server.services.db)
    const hold = ({ key }: TestAccount) => begin('POST', batches, { ...key, ...json, 'content-length': '7990000' })
    let held = holders.map(hold)
    const ask = async () => {
      // One of them may itself be refused, in favor of the probing one.
      held = held.map((one, index) => (one.isAnswered() ? hold(holders[index]!) : one))
      return (await sendBatch(account, 100_000)).status
    }
    await expect.poll(ask, { interval: 1_000 }).toBe(503)
    expect((await sendBatch(account, 10_000)).status).toBe(404)
    for (const { sending } of held) sending.destroy()
    await untilBatch(account, 404)
  })

  it('are released after handling', async () => {
    const account = await buildAccount(server.services.db)
    for (let round = 0; round < 10; round++) expect((await sendBatch(account, 7_000_000)).status).toBe(404)
    await Promise.all(Array.from({ length: 10 }, () => sendBatch(account, 9_000_000)))
    expect((await sendBatch(account, 7_000_000)).status).toBe(404)
  })
})

describe('a body that was not sent yet', () => {
  const length = { ...json, 'content-length': '900' }
  const withBody = (Object.entries(contract) as [string, RouteDeclaration][]).filter(
    ([, { method, auth }]) => method !== 'GET' && auth !== 'none',
  )

  it.each(withBody)('is not awaited to refuse an anonymous client: %s', async (_id, route) => {
    const unknown = await buildAccount(server.services.db)
    await server.services.db.none('delete from api_key where user_id = $<user_id>', unknown)
    for (const credential of [{}, unknown.key]) {
      const { answer } = begin(route.method, pathOf(route), { ...credential, ...length })
      expect((await answer).status).toBe(401)
    }
  })

  it('is not awaited to refuse a forbidden or limited caller', async () => {
    const account = await buildAccount(server.services.db, { scopes: ['usage:read'] })
    expect(await begin('POST', batches, { ...account.key, ...length }).answer).toMatchObject({ status: 403 })
    const strict = await startTestServer({ works: false, limits: { keyPerMinute: 0 } })
    try {
      const { key } = await buildAccount(strict.services.db)
      expect(await begin('POST', batches, { ...key, ...length }, strict).answer).toMatchObject({ status: 429 })
    } finally {
      await strict.close()
    }
  })
})

describe('a body from anyone', () => {
  const forAnybody = (Object.entries(contract) as [string, RouteDeclaration][]).filter(
    ([, { method, auth, body }]) => method !== 'GET' && auth === 'none' && body,
  )

  it.each(forAnybody)('is accepted up to 50 kB: %s', async (_id, route) => {
    const { sending, answer } = begin(route.method, pathOf(route), json)
    sending.end(JSON.stringify({ text: 'x'.repeat(60_000) }))
    expect(await answer).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  it('is accepted up to 500 kB where a platform pushes', async () => {
    for (const { method, path } of Object.values(webhooks).filter(({ method }) => method === 'POST')) {
      const { sending, answer } = begin(method, path.replace('{id}', 'x'), json)
      sending.end('x'.repeat(600_000))
      // Not found if the platform is not configured.
      expect([404, 413], path).toContain((await answer).status)
    }
  })
})
