import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { insertItem } from '#server/selling/listings/testing/build-item.ts'
import { openTask } from './open-task.ts'

let pictures: Server
let origin: string
let server: TestServer
let api: Api
let seller: TestAccount
const drawn = new Map<string, Buffer>()
const hanging = new Set<ServerResponse>()

beforeAll(async () => {
  const plain = sharp({ create: { width: 40, height: 30, channels: 3, background: '#2f4fd0' } })
  drawn.set('/1.jpg', await plain.clone().jpeg().toBuffer())
  drawn.set('/2.png', await plain.clone().png().toBuffer())
  drawn.set('/3.webp', await plain.clone().webp().toBuffer())
  drawn.set('/cut.webp', (await plain.clone().webp({ lossless: true }).toBuffer()).subarray(0, 24))
  pictures = createServer((request, response) => {
    if (request.url === '/hangs.jpg') {
      hanging.add(response)
      response.on('close', () => hanging.delete(response))
      return
    }
    const bytes = drawn.get(request.url ?? '')
    response.writeHead(bytes ? 200 : 404).end(bytes)
  })
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
  server = await startTestServer({ works: false, environment: { EBAY_API_URL: origin } })
  api = apiOf(server.url)
  seller = await buildAccount(server.services.db)
})
afterAll(async () => {
  await server?.close()
  pictures?.closeAllConnections()
  pictures?.close()
})

async function taskFor(paths: string[], kind: 'list' | 'delist' = 'list') {
  const images = paths.map((path) => (path.startsWith('/') ? origin + path : path))
  const item_uid = await insertItem(server.services.db, seller.user_id, { images })
  const task = { user_id: seller.user_id, kind, platform: 'depop', item_uid, reason: 'r', cause: 'list' } as const
  const url = 'https://www.depop.com/products/create/'
  return server.services.db.tx((tx) => openTask(tx, { ...task, url }))
}

const pictureOf = (uid: string | null, n: number, by = seller) =>
  api('GET', `/api/v1/extension/tasks/${uid}/picture/?n=${n}`, { headers: by.bearer })

describe('pictures for the sell form', () => {
  it('come in the item’s order, JPEG and PNG byte for byte', async () => {
    const uid = await taskFor(['/2.png', '/1.jpg'])
    const [first, second] = [await pictureOf(uid, 0), await pictureOf(uid, 1)]
    expect(first).toMatchObject({ status: 200, body: { type: 'image/png' } })
    expect(Buffer.from(first.body.data, 'base64').equals(drawn.get('/2.png')!)).toBe(true)
    expect(second).toMatchObject({ status: 200, body: { type: 'image/jpeg' } })
    expect(Buffer.from(second.body.data, 'base64').equals(drawn.get('/1.jpg')!)).toBe(true)
  })

  it('of other formats become JPEG of the same size', async () => {
    const { status, body } = await pictureOf(await taskFor(['/3.webp']), 0)
    expect([status, body.type]).toEqual([200, 'image/jpeg'])
    const made = await sharp(Buffer.from(body.data, 'base64')).metadata()
    expect([made.format, made.width, made.height]).toEqual(['jpeg', 40, 30])
  })

  it.each(['/gone.jpg', '/cut.webp', 'https://127.0.0.1/1.jpg', 'https://[::1]/1.jpg'])(
    'answer a clear error for %s',
    async (path) => {
      const reply = await pictureOf(await taskFor([path]), 0)
      expect([reply.status, reply.body.code]).toEqual([502, 'platform_failed'])
    },
  )

  it('are fetched six at a time until the client leaves', async () => {
    const uid = await taskFor(['/hangs.jpg', '/1.jpg'])
    const leaving = new AbortController()
    const asked = Array.from({ length: 9 }, () =>
      fetch(`${server.url}/api/v1/extension/tasks/${uid}/picture/?n=0`, {
        headers: seller.bearer,
        signal: leaving.signal,
      }).catch(() => 'left'),
    )
    await until(() => hanging.size === 6)
    const other = await buildAccount(server.services.db)
    expect((await pictureOf(uid, 0, other)).status).toBe(404)
    expect(hanging.size).toBe(6)
    leaving.abort()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['left']))
    await until(() => hanging.size === 0)
    expect((await pictureOf(uid, 1)).status).toBe(200)
  })

  it('belong to open list tasks of their own user', async () => {
    const uid = await taskFor(['/1.jpg'])
    expect((await pictureOf(uid, 1)).status).toBe(404)
    expect((await pictureOf(await taskFor(['/1.jpg'], 'delist'), 0)).status).toBe(404)
    expect((await pictureOf(uid, 0, await buildAccount(server.services.db))).status).toBe(404)
    expect((await pictureOf(uid, 0)).status).toBe(200)
    await api('POST', `/api/v1/extension/tasks/${uid}/dismiss/`, { headers: seller.bearer })
    expect((await pictureOf(uid, 0)).status).toBe(404)
  })
})
