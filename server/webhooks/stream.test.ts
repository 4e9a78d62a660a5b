import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { emitEvents } from './emit.ts'
import { untilListening } from './testing/listening.ts'
import { openStream } from './testing/open-stream.ts'

let server: TestServer
let account: TestAccount
const aborts: AbortController[] = []
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  account = await buildAccount(server.services.db)
})
afterEach(() => {
  for (const abort of aborts.splice(0)) abort.abort()
})

const emit = (number: number, who = account) =>
  server.services.db.tx((tx) =>
    emitEvents(tx, who.user_id, [{ type: 'sale.recorded', item_uid: 'inv_a', data: { number } }]),
  )

/** Opens a stream that closes with its test. */
async function open(headers: Record<string, string> = account.key, query = '') {
  const stream = await openStream(server.url, headers, query)
  aborts.push(stream.abort)
  return stream
}

describe('GET /api/v1/events/stream/', () => {
  it('sends numbered events at commit, to their account only', async () => {
    // Without polling: the database itself must notify.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await emit(0)
    const stranger = await buildAccount(server.services.db)
    const [mine, theirs] = [await open(), await open(stranger.bearer)]
    expect(mine.response.headers.get('content-type')).toContain('text/event-stream')
    expect(mine.response.headers.get('cache-control')).toBe('no-store')
    // The first stream opens the listening connection.
    await untilListening(server.services.db, 1)
    await emit(1)
    await until(() => mine.received.length === 1)
    expect(mine.received).toMatchObject([{ id: '2', event: 'sale.recorded', data: { seq: 2, data: { number: 1 } } }])
    expect(theirs.received).toEqual([])
  })

  it('sends its starting id at once, for early disconnects', async () => {
    await emit(1)
    const abort = new AbortController()
    aborts.push(abort)
    const { body } = await fetch(`${server.url}/api/v1/events/stream/`, { headers: account.key, signal: abort.signal })
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('\n\n')) break
    }
    const id = /^id: (\d+)$/m.exec(text)?.[1]
    expect(id).toBe('1')
    await emit(2)
    const again = await open({ ...account.key, 'last-event-id': String(id) })
    await until(() => again.received.length > 0)
    expect(again.received).toMatchObject([{ id: '2' }])
  })

  it('counts as a request of its key', async () => {
    await open()
    await server.services.usage.flush()
    const usage = await apiOf(server.url)('GET', '/api/v1/api-usage/', { headers: account.bearer })
    expect(usage.body.keys).toMatchObject([{ days: [{ count: 1, errors: 0 }] }])
  })

  it('does not log an error when a client leaves', async () => {
    const stream = await open()
    const before = server.logged.length
    stream.abort.abort()
    const lines = await until(
      () => server.logged.slice(before).filter((line) => line.includes('ERR_STREAM_PREMATURE_CLOSE')),
      ({ length }) => length > 0,
    )
    // Clients of earlier tests may leave only now.
    expect(new Set(lines.map((line) => JSON.parse(line).level))).toEqual(new Set(['debug']))
  })

  it('resumes after the last received event and misses none', async () => {
    for (let number = 1; number <= 5; number++) await emit(number)
    const first = await open({ ...account.key, 'last-event-id': '2' })
    await until(() => first.received.length === 3)
    first.abort.abort()
    await emit(6)
    const again = await open(account.key, `?last_event_id=${first.received.at(-1)!.id}`)
    await until(() => again.received.length === 1)
    expect([...first.received, ...again.received].map(({ id }) => id)).toEqual(['3', '4', '5', '6'])
  })

  it('resumes from now when the given id is in the future', async () => {
    await emit(1)
    const stream = await open({ ...account.key, 'last-event-id': '1000' })
    await emit(2)
    await until(() => stream.received.length === 1)
    expect(stream.received[0]!.id).toBe('2')
  })

  it('sends 1,000 concurrent events in order, each once', async () => {
    const stream = await open({ ...account.key, 'last-event-id': '0' })
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let index = 0; index < 100; index++) await emit(index)
      }),
    )
    await until(() => stream.received.length >= 1_000)
    expect(stream.received.map(({ data }) => data.seq)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1))
  })

  it('authenticates like every endpoint and refuses an invalid id', async () => {
    const statusOf = async (headers: Record<string, string>, query = '') => (await open(headers, query)).response.status
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ ...account.key, ...account.bearer })).toBe(400)
    const narrow = await buildAccount(server.services.db, { scopes: ['imports:run'] })
    expect(await statusOf(narrow.key)).toBe(403)
    expect(await statusOf({ ...account.key, 'last-event-id': 'x' })).toBe(400)
    expect(await statusOf(account.key, '?last_event_id=-1')).toBe(400)
    expect(await statusOf(account.key, `?token=${account.key['x-api-key']}`)).toBe(400)
    const post = await fetch(`${server.url}/api/v1/events/stream/`, { method: 'POST', headers: account.key })
    expect(post.status).toBe(405)
  })

  it('allows ten streams per account, even when all open at once', async () => {
    const streams = await Promise.all(Array.from({ length: 30 }, () => open()))
    expect(streams.filter(({ response }) => response.status === 200)).toHaveLength(10)
  })

  it('allows a new stream when one of ten ends', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => open()))
    expect(streams.map(({ response }) => response.status)).toEqual(Array(10).fill(200))
    expect((await open()).response.status).toBe(429)
    streams[0]!.abort.abort()
    await until(async () => (await open()).response.status === 200)
  })
})

describe('a stream whose credential ends', () => {
  it.each<[string, (headers: Record<string, string>) => Promise<unknown>]>([
    ['by signing out', () => apiOf(server.url)('POST', '/api/auth/logout/', { headers: account.bearer })],
    [
      'with all sessions',
      () => server.services.db.none('delete from bearer_token where user_id = $1', [account.user_id]),
    ],
    [
      'with the account',
      () => server.services.db.none("update app_user set state = 'deactivated' where id = $1", [account.user_id]),
    ],
  ])('ends at once after %s and sends nothing newer', async (_how, end) => {
    // Without polling or keep-alive: the database itself must notify.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await open(account.bearer)
    await untilListening(server.services.db, 1)
    await emit(1)
    await until(() => stream.received.length === 1)
    await end(account.bearer)
    await emit(2)
    await stream.reading
    expect(stream.received).toHaveLength(1)
  })

  it.each([
    ['deleted', 'delete from api_key where user_id = $1'],
    ['rotated', 'update api_key set key_hash = sha256(key_hash) where user_id = $1'],
    ['expired', 'update api_key set expires_at = now() where user_id = $1'],
  ])('ends at once when its key is %s', async (_how, change) => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await open(account.key)
    await untilListening(server.services.db, 1)
    await server.services.db.none(change, [account.user_id])
    await stream.reading
  })

  it('sends nothing newer, even when the notification is lost', async () => {
    const stream = await open(account.bearer)
    await untilListening(server.services.db, 1)
    await server.services.db.tx(async (tx) => {
      await tx.none('alter table bearer_token disable trigger notify_ended')
      await tx.none('delete from bearer_token where user_id = $1', [account.user_id])
      await tx.none('alter table bearer_token enable trigger notify_ended')
    })
    await emit(1)
    await stream.reading
    expect(stream.received).toEqual([])
  })

  it('leaves the account’s other streams open', async () => {
    const [session, key] = [await open(account.bearer), await open(account.key)]
    await untilListening(server.services.db, 1)
    await apiOf(server.url)('POST', '/api/auth/logout/', { headers: account.bearer })
    await session.reading
    await emit(1)
    await until(() => key.received.length === 1)
    expect(key.endOf()).toBe('open')
  })
})

describe('a stream whose credential is checked again', () => {
  /** Starts a server whose streams check their credential every few milliseconds. */
  async function openQuick(headers: Record<string, string>, beforeCheck = async () => {}): Promise<Response> {
    const { default: Router } = await import('@koa/router')
    const { default: Koa } = await import('koa')
    const { createServer } = await import('node:http')
    const { databaseCredentials } = await import('#server/accounts/sessions/credential-store.ts')
    const { unlimited } = await import('#e2e/harness/limits.ts')
    const { trace } = await import('#server/http/trace.ts')
    const { mountEventStream } = await import('./stream-routes.ts')
    const router = new Router()
    const known = databaseCredentials(server.services.db)
    mountEventStream(router, server.services, {
      credentials: { ...known, findBearer: (hash) => beforeCheck().then(() => known.findBearer(hash)) },
      limits: unlimited,
      beatMs: 50,
    })
    const app = new Koa().use(trace(server.services, 0, server.url)).use(router.routes())
    const quick = createServer(app.callback())
    await new Promise<void>((resolve) => quick.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      quick.closeAllConnections()
      quick.close()
    })
    const { port } = quick.address() as { port: number }
    return fetch(`http://127.0.0.1:${port}/api/v1/events/stream/`, { headers })
  }

  const emitLargeEvents = () =>
    server.services.db.tx((tx) =>
      emitEvents(
        tx,
        account.user_id,
        Array.from({ length: 300 }, (_, number) => ({
          ...{ type: 'sale.recorded' as const, item_uid: 'inv_a', data: { number, long: 'x'.repeat(100_000) } },
        })),
      ),
    )

  it('ends at its next keep-alive', async () => {
    const response = await openQuick(account.bearer)
    expect(response.status).toBe(200)
    const reading = response.text()
    await apiOf(server.url)('POST', '/api/auth/logout/', { headers: account.bearer })
    expect(await reading).toMatch(/^retry: 3000/)
  })

  it('ends even when its client is slow and many events wait', async () => {
    await emitLargeEvents()
    const response = await openQuick({ ...account.bearer, 'last-event-id': '0' })
    await apiOf(server.url)('POST', '/api/auth/logout/', { headers: account.bearer })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const text = await response.text().catch(() => 'cut')
    expect(text).not.toContain('id: 300')
  })

  it('continues when its slow client catches up during the check', async () => {
    await emitLargeEvents()
    const [checked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let times = 0
    const response = await openQuick({ ...account.bearer, 'last-event-id': '0' }, () => {
      if (++times < 2) return Promise.resolve()
      checked.resolve()
      return answer.promise
    })
    await checked.promise
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let [length, end] = [0, '']
    const isWhole = () => end.includes('id: 300\n')
    const reading = (async () => {
      while (!isWhole()) {
        const text = (await reader.read()).value ?? ''
        length += text.length
        // An event is longer than this.
        end = (end + text).slice(-150_000)
      }
    })()
    // Everything that was written is read, and nothing more comes.
    let last = -1
    while (last < length) {
      last = length
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(isWhole()).toBe(false)
    answer.resolve()
    await reading
    await reader.cancel()
  })
})
