import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { heicGrid } from '#server/http/outbound/testing/heic-grid.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { withOwnPictures } from '#server/integrations/own-pictures.ts'
import { newId } from '#shared/identity.ts'
import { removeExpiredImages, removeImageFiles } from './tidy-images.ts'

let server: TestServer
let account: TestAccount
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hapax-images-'))
  server = await startTestServer({ works: false, environment: { IMAGES_DIR: folder, QUOTA_IMAGES_MB: '1' } })
  account = await buildAccount(server.services.db)
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A photo of a camera on its side, with the place where it was taken. */
const photo = (color: string, width = 300, height = 100) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()

async function upload(bytes: Buffer | FormData, headers: Record<string, string> = account.bearer) {
  const type: Record<string, string> = bytes instanceof FormData ? {} : { 'content-type': 'image/jpeg' }
  const body = bytes instanceof FormData ? bytes : new Uint8Array(bytes)
  const response = await fetch(`${server.url}/api/v1/images/`, {
    method: 'POST',
    headers: { ...headers, ...type },
    body,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = account.bearer) =>
  apiOf(server.url)(method, path, { body, headers })
const itemWith = (url: string) =>
  call('POST', '/api/v1/inventory/', {
    ...{ title: 'Brass lamp', images: [url], condition: { label: 'Good' } },
    offer: { price_minor: 4_500, currency: 'USD' },
  })
const store = () => createImageStore(server.services.config)

describe('an uploaded photo', () => {
  it('is served upright in three sizes without EXIF data', async () => {
    const bytes = await photo('#aa3300')
    expect((await sharp(bytes).metadata()).exif?.includes('SecretCam')).toBe(true)
    const made = await upload(bytes)
    expect(made).toMatchObject({ status: 201, body: { type: 'image/jpeg', width: 100, height: 300 } })
    expect(made.headers.get('location')).toBe(`/api/v1/images/${made.body.id}/`)
    expect(made.body.url).toBe(`${server.url}/images/${made.body.id}/2000`)
    for (const { size, url } of made.body.sizes) {
      const served = await fetch(url)
      expect(served.headers.get('content-type')).toBe('image/jpeg')
      expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(served.headers.get('x-content-type-options')).toBe('nosniff')
      const picture = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
      expect([picture.height, picture.exif, picture.orientation]).toEqual([Math.min(size, 300), undefined, undefined])
    }
    const etag = (await fetch(made.body.url)).headers.get('etag')!
    expect(
      (await fetch(made.body.url, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304)
  })

  it('is kept byte for byte, and not served so', async () => {
    const bytes = await photo('#0033aa')
    const { body } = await upload(bytes)
    expect((await store().get(body.id, 'original'))!.equals(bytes)).toBe(true)
    expect((await fetch(`${server.url}/images/${body.id}/original`)).status).toBe(404)
  })

  it('is stored once however often it is sent', async () => {
    const bytes = await photo('#00aa33')
    const first = await upload(bytes)
    const again = await upload(bytes, account.key)
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id])
  })

  it('arrives as the only file of a form', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await photo('#123456'))], { type: 'image/jpeg' }), 'a.jpg')
    expect((await upload(form)).status).toBe(201)
    form.append('other', new Blob(['x']), 'b.jpg')
    expect(await upload(form)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  })

  it('is turned into another image', async () => {
    const { body } = await upload(await photo('#654321'))
    const turned = await call('POST', `/api/v1/images/${body.id}/rotate/`, { degrees: 90 })
    expect(turned).toMatchObject({ status: 201, body: { width: 300, height: 100 } })
    const served = Buffer.from(await (await fetch(turned.body.url)).arrayBuffer())
    expect(await sharp(served).metadata()).toMatchObject({ width: 300, height: 100 })
    const whole = await call('POST', `/api/v1/images/${turned.body.id}/rotate/`, { degrees: 270 })
    expect(whole.body.id).toBe(body.id)
  })

  it('reaches a marketplace from the storage, not by a request', async () => {
    const { body } = await upload(await photo('#222222'))
    const fetchPicture = withOwnPictures(server.services.config, () => Promise.reject(new Error('fetched')))
    const picture = await fetchPicture(body.url)
    expect(picture.bytes.equals((await store().get(body.id, '2000'))!)).toBe(true)
    await expect(fetchPicture('https://elsewhere.example/a.jpg')).rejects.toThrow('fetched')
  })
})

describe('an upload', () => {
  it('of another format is refused with its own code', async () => {
    const refused = await upload(Buffer.from('<svg onload="x">'))
    expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_image' } })
    expect(refused.body.detail).toMatch(/JPEG.*HEIC/)
  })

  it('of a HEIC that cannot be read says what to do', async () => {
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(100)])
    const refused = await upload(heic)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_image' } })
    expect(refused.body.detail).toMatch(/Save it as JPEG/)
  })

  it('of a HEIC is kept as JPEG', async () => {
    const { body, status } = await upload(heicGrid({ columns: 2, rows: 1 }))
    expect([status, body.type, body.width, body.height]).toEqual([201, 'image/jpeg', 1_024, 512])
  })

  it('of a HEIC is not decoded beyond the quota', async () => {
    const full = await buildAccount(server.services.db)
    await server.services.db.none(
      `insert into image (user_id, uid, original_hash, rotation, type, width, height, bytes)
       values ($1, $2, '\\x00', 0, 'image/jpeg', 1, 1, 1000000)`,
      [full.user_id, newId('img')],
    )
    let threads = 0
    const count = () => threads++
    process.on('worker', count)
    const refused = await upload(heicGrid({ columns: 2, rows: 1 }), full.bearer)
    process.off('worker', count)
    expect([refused.status, threads]).toEqual([409, 0])
  })

  it('of a HEIC ends with its client, and frees its place', async () => {
    const [leaving, next] = [await buildAccount(server.services.db), await buildAccount(server.services.db)]
    const client = new AbortController()
    const left = fetch(`${server.url}/api/v1/images/`, {
      method: 'POST',
      headers: { ...leaving.bearer, 'content-type': 'image/heic' },
      body: new Uint8Array(heicGrid({ columns: 14, rows: 13 })),
      signal: client.signal,
    })
    left.catch(() => {})
    const [thread] = await once(process, 'worker')
    let isDecoded = false
    thread.on('message', () => {
      isDecoded = true
    })
    client.abort()
    expect((await upload(heicGrid({ columns: 1, rows: 1 }), next.bearer)).status).toBe(201)
    expect([thread.threadId, isDecoded]).toEqual([-1, false])
    const stored = await server.services.db.any('select 1 from image where user_id = $1', [leaving.user_id])
    expect(stored).toEqual([])
  })

  it('that is cut or has too many pixels is refused', async () => {
    const bytes = await photo('#ffffff', 800, 800)
    expect(await upload(bytes.subarray(0, bytes.length / 2))).toMatchObject({ body: { code: 'invalid_image' } })
    const background = '#fff'
    const bomb = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background } })
      .png()
      .toBuffer()
    const refused = await upload(bomb)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_image' } })
    expect(refused.body.detail).toContain('pixels')
  })

  it('above 15 MB is refused', async () => {
    expect(await upload(Buffer.alloc(15_000_001, 0xff))).toMatchObject({ status: 413 })
  })

  it('beyond the quota of the account is refused', async () => {
    const other = await buildAccount(server.services.db)
    const noise = (seed: number) =>
      sharp(Buffer.from(Array.from({ length: 600 * 400 * 3 }, (_, n) => (n * n * seed) % 251)), {
        raw: { width: 600, height: 400, channels: 3 },
      })
        .png()
        .toBuffer()
    const statuses = []
    for (const seed of [3, 5, 7, 11]) statuses.push((await upload(await noise(seed), other.bearer)).status)
    expect(statuses).toContain(201)
    expect(statuses.at(-1)).toBe(409)
  })
})

describe('a photo storage that fails', () => {
  it.each(['folder', 'bucket'] as const)('answers 503 and loses nothing: %s', async (kind) => {
    let isBroken = true
    const bucket = createServer((_request, response) => response.writeHead(isBroken ? 500 : 200).end())
    await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
    const bucketUrl = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/photos`
    const blocked = join(folder, `blocked-${kind}`)
    // A file in the place of the folder.
    writeFileSync(blocked, '')
    const failing = await startTestServer({
      works: false,
      environment:
        kind === 'folder'
          ? { IMAGES_DIR: blocked }
          : { S3_BUCKET_URL: bucketUrl, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
    })
    try {
      const seller = await buildAccount(failing.services.db)
      const bytes = new Uint8Array(await photo('#0f0f0f'))
      const send = async () => {
        const headers = { ...seller.bearer, 'content-type': 'image/jpeg' }
        const reply = await fetch(`${failing.url}/api/v1/images/`, { method: 'POST', headers, body: bytes })
        return { status: reply.status, headers: reply.headers, body: await reply.json() }
      }
      const refused = await send()
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      expect(refused.headers.get('retry-after')).toBe('10')
      expect(await failing.services.db.any('select from image where stored_at is not null')).toEqual([])
      isBroken = false
      rmSync(blocked, { force: true })
      const again = await send()
      expect(again.status).toBe(201)
      expect(await failing.services.db.map('select uid from image', [], ({ uid }) => uid)).toEqual([again.body.id])
    } finally {
      await failing.close()
      bucket.close()
    }
  })
})

describe('a photo', () => {
  it('is nobody else’s to read, turn or delete', async () => {
    const { body } = await upload(await photo('#abcdef'))
    const other = await buildAccount(server.services.db)
    for (const [method, path, sent] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['POST', 'rotate/', { degrees: 90 }],
    ] as const) {
      expect((await call(method, `/api/v1/images/${body.id}/${path}`, sent, other.bearer)).status).toBe(404)
    }
    expect((await fetch(body.url)).status).toBe(200)
    expect((await fetch(`${server.url}/images/${newId('img')}/800`)).status).toBe(404)
  })

  it('goes with its last item, files included', async () => {
    const { body } = await upload(await photo('#fedcba'))
    const [first, second] = [(await itemWith(body.url)).body, (await itemWith(body.url)).body]
    expect((await call('DELETE', `/api/v1/images/${body.id}/`)).status).toBe(409)
    expect((await call('DELETE', `/api/v1/inventory/${first.uid}/`)).status).toBe(204)
    expect((await fetch(body.url)).status).toBe(200)
    expect((await call('DELETE', `/api/v1/inventory/${second.uid}/`)).status).toBe(204)
    expect((await fetch(body.url)).status).toBe(404)
    const files = join(folder, body.id.slice(4, 6), body.id)
    expect(existsSync(files)).toBe(true)
    await removeImageFiles(server.services.db, store())
    expect(existsSync(files)).toBe(false)
  })

  it('that no item used for a week is removed', async () => {
    const [used, unused] = [(await upload(await photo('#111111'))).body, (await upload(await photo('#333333'))).body]
    await itemWith(used.url)
    await server.services.db.none("update image set used_at = now() - interval '8 days' where uid in ($1, $2)", [
      used.id,
      unused.id,
    ])
    await removeExpiredImages(server.services.db)
    expect([(await fetch(used.url)).status, (await fetch(unused.url)).status]).toEqual([200, 404])
  })

  it('of a closed account is not shown', async () => {
    const closing = await buildAccount(server.services.db)
    const { body } = await upload(await photo('#999999'), closing.bearer)
    await call('POST', '/api/v1/user/deactivate/', undefined, closing.bearer)
    expect((await fetch(body.url)).status).toBe(404)
  })
})
