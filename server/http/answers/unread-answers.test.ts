import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Router from '@koa/router'
import Koa from 'koa'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { mountWebApp } from '#server/pages/web-app/mount.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { newId } from '#shared/identity.ts'
import { endStalledAnswers } from './answers.ts'

/** Clients that take nothing, or little, of their answers. The buffers of the kernel hold some MB for each. */
const stalledMs = 600

let folder: string
let server: TestServer
let account: TestAccount
let image: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hapax-unread-'))
  server = await startTestServer({
    works: false,
    // The invariants do not apply to the items below.
    database: await createTestDatabase({ checked: false, bare: true }),
    environment: { REQUEST_BODIES_MB: '32', IMAGES_DIR: folder },
    limits: { stalledMs, openPerAccount: 8, openPerAddress: 12 },
  })
  account = await buildAccount(server.services.db)
  await server.services.db.none(
    `insert into inventory_item (user_id, uid, product_id, offer_id, title, description, images, condition_label, price_minor, currency,
      state, inspected_at, observed_at, seller_url, shipping_policy_url, returns_policy_url)
    select $<user_id>, 'inv_' || lpad(n::text, 22, '0'), 'p' || n, 'o' || n, 'Lamp', (select string_agg(md5(n || '-' || m), '') from generate_series(1, 600) m), '{https://example.com/1.jpg}',
      'Good', 100, 'USD', 'available', now(), now(), 'https://example.com/', 'https://example.com/', 'https://example.com/'
    from generate_series(1, 1000) n`,
    account,
  )
  image = await largeImage()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

/** Stores a served size of 20 MB, and returns its path. */
async function largeImage(): Promise<string> {
  const uid = newId('img')
  await server.services.db.none(
    `insert into image (user_id, uid, original_hash, rotation, type, width, height, bytes, stored_at)
    values ($<user_id>, $<uid>, $<hash>, 0, 'image/jpeg', 1, 1, 1, now())`,
    { ...account, uid, hash: Buffer.alloc(32) },
  )
  await createImageStore(server.services.config).put(uid, '2000', Buffer.alloc(20_000_000, 7), 'image/jpeg')
  return `/images/${uid}/2000`
}

interface Reader {
  socket: Socket
  /** Resolves when the server closes the connection. */
  closed: Promise<void>
}

/** Sends a request on a connection of its own, `times` one after the other, and reads nothing. */
function ask(method: string, path: string, { times = 1, body = '', headers = {}, port = 0 } = {}): Reader {
  const { hostname, host, port: usual } = new URL(server.url)
  const socket = connect(port || Number(usual), hostname)
  socket.pause()
  open.push(socket)
  const lines = Object.entries({
    ...{ Host: host, Authorization: account.bearer.authorization, 'Accept-Encoding': 'identity' },
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`.repeat(times))
  const closed = new Promise<void>((resolve) => {
    // A connection that is not read does not say that it ended, unless a write fails.
    const probe = setInterval(() => socket.write('\r\n'), 50)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(probe)
      resolve()
    })
  })
  return { socket, closed }
}

/** Returns the status of a body of nearly the whole budget of the account. */
async function sendLarge(): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/extension/imports/${newId('job')}/batches/`, {
    method: 'POST',
    headers: { ...account.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ batch_id: 'b', listings: [] }).padEnd(7_900_000),
  })
  await response.arrayBuffer()
  return response.status
}

const health = async () => expect((await fetch(`${server.url}/healthz`)).status).toBe(200)

/** One answer is larger than the kernel's buffers, since an account's second import at a time may be refused. */
const rows = `title,price\n${Array.from({ length: 5_000 }, (_, index) => `${'x'.repeat(900)}${index},-1`).join('\n')}\n`
const csv = { 'Content-Type': 'text/csv' }
const list = '/api/v1/inventory/?page_size=100'

/** Opens the event stream and emits more events than the buffers of the kernel hold. */
async function eventStream(): Promise<Reader> {
  const reader = ask('GET', '/api/v1/events/stream/?last_event_id=0')
  const data = { text: 'x'.repeat(100_000) }
  const events = Array.from({ length: 200 }, () => ({ type: 'sale.recorded' as const, item_uid: 'inv_a', data }))
  await server.services.db.tx((tx) => emitEvents(tx, account.user_id, events))
  return reader
}

/** Serves a web app with a large script. */
async function webApp(): Promise<Reader> {
  const built = mkdtempSync(join(tmpdir(), 'hapax-unread-app-'))
  writeFileSync(join(built, 'index.html'), '')
  writeFileSync(join(built, 'large.js'), '/'.repeat(20_000_000))
  const router = new Router()
  mountWebApp(router, server.services, built)
  const app = new Koa()
  app.use((ctx, next) => {
    ctx.state.log = server.services.log
    return next()
  })
  app.use(endStalledAnswers(stalledMs, server.services.atStop)).use(router.routes())
  app.on('error', () => undefined)
  const listening = app.listen(0, '127.0.0.1')
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
    rmSync(built, { recursive: true })
  })
  await once(listening, 'listening')
  return ask('GET', '/app/large.js', { port: (listening.address() as AddressInfo).port })
}

const answers: [string, () => Reader | Promise<Reader>][] = [
  ['a list in JSON', () => ask('GET', list, { times: 8 })],
  ['a compressed list', () => ask('GET', list, { times: 8, headers: { 'Accept-Encoding': 'gzip' } })],
  ['an export', () => ask('GET', '/api/v1/inventory/export/')],
  ['an import', () => ask('POST', '/api/v1/inventory/import/?dry_run=true', { body: rows, headers: csv })],
  ['an event stream', eventStream],
  ['a photo', () => ask('GET', image)],
  ['a document', () => ask('GET', '/api/openapi.json', { times: 12 })],
  ['a file of the web app', webApp],
]

describe('an answer that its client does not read', () => {
  it.each(answers)('ends: %s', async (_name, begin) => {
    // Again where the machine is so slow that the answer ended meanwhile.
    await until(async () => {
      const { closed } = await begin()
      await delay(stalledMs / 2)
      const first = await Promise.race([closed.then(() => 'closed'), health().then(() => 'health')])
      await closed
      await until(sendLarge, (status) => status === 404)
      return first === 'health'
    })
  })

  it('keeps its body counted until then', async () => {
    // Again where the machine is so slow that the answer ended meanwhile.
    const sendMeanwhile = async () => {
      const before = server.logged.length
      const { closed } = ask('POST', '/api/v1/inventory/import/?dry_run=true', { body: rows, headers: csv })
      const isAnswered = /"operation":"importInventory","status":200/
      await until(() => server.logged.slice(before).some((line) => isAnswered.test(line)))
      const status = await sendLarge()
      await closed
      return status
    }
    await until(sendMeanwhile, (status) => status === 503)
    await until(sendLarge, (status) => status === 404)
  })

  it('takes little memory where it is a photo', async () => {
    const before = process.memoryUsage().arrayBuffers
    const readers = Array.from({ length: 10 }, () => ask('GET', image))
    await delay(stalledMs / 2)
    expect((process.memoryUsage().arrayBuffers - before) / 1_000_000).toBeLessThan(60)
    for (const { closed } of readers) await closed
  })

  // Below, one more than may be open, since it may come while the request that looks for the refusal has its place.
  it('is one of a few of an address', async () => {
    const get = async () => (await fetch(`${server.url}/privacy`)).status
    expect(await get()).toBe(200)
    for (let asked = 0; asked < 12 + 1; asked++) ask('GET', image)
    await until(get, (status) => status === 429)
    await until(get, (status) => status === 200)
  })
})

describe('an answer under way', () => {
  it('is one of a few of an account', async () => {
    const get = async (path: string) => (await fetch(`${server.url}${path}`, { headers: account.bearer })).status
    const isFull = () => get('/api/v1/api-usage/')
    expect(await isFull()).toBe(200)
    const waiting: Promise<number>[] = []
    const isFullOfWaiting = () => {
      // A busy machine may answer earlier ones 503 before the refusal is looked for.
      waiting.push(...Array.from({ length: 8 + 1 }, () => get('/api/v1/inventory/?page_size=1')))
      return isFull()
    }
    await server.services.db.tx(async (tx) => {
      await tx.none('lock table inventory_item in access exclusive mode')
      await until(isFullOfWaiting, (status) => status === 429)
    })
    expect((await Promise.all(waiting)).filter((status) => status === 200).length).toBeGreaterThanOrEqual(8)
    await until(isFull, (status) => status === 200)
  })
})

describe('an answer that its client reads slowly', () => {
  it('arrives whole', async () => {
    // Again where the machine is so slow that the client itself took nothing for so long.
    await until(async () => {
      const { socket, closed } = ask('GET', image)
      let bytes = 0
      const whole = new Promise((resolve) => {
        socket.on('data', (chunk) => {
          bytes += chunk.length
          if (bytes > 20_000_000) resolve(true)
          socket.pause()
          setTimeout(() => socket.resume(), 5)
        })
      })
      socket.resume()
      return Promise.race([whole, closed.then(() => false)])
    })
  })
})
