import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

const shop = 'https://shop.example'
let server: TestServer
let account: TestAccount
let uid: string
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    environment: { SANDBOX: 'on', API_ORIGINS: `${shop}, http://localhost:3000` },
  })
  account = await buildAccount(server.services.db)
  for (let item = 0; item < 12; item++) uid = (await create(`A hat ${item}`)).uid
})
afterAll(() => server?.close())

const json = { 'content-type': 'application/json' }
async function create(title: string): Promise<{ uid: string }> {
  const body = JSON.stringify({
    ...{ title, images: ['https://pictures.example/1.jpg'], condition: { label: 'Used' } },
    offer: { price_minor: 900, currency: 'USD' },
  })
  const answer = await fetch(`${server.url}/api/v1/inventory/`, {
    method: 'POST',
    headers: { ...account.bearer, ...json },
    body,
  })
  expect(answer.status).toBe(201)
  return answer.json()
}
const get = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(`${server.url}${path}`, { headers: { ...account.bearer, ...headers } })

/** Requests without decompressing the answer, which fetch would do. */
function rawRequest(
  url: string,
  options: { headers: Record<string, string> },
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('an entity tag', () => {
  it.each(['/api/v1/inventory/', () => `/api/v1/inventory/${uid}/`])('saves an unchanged answer', async (given) => {
    const path = typeof given === 'string' ? given : given()
    const first = await get(path)
    const tag = String(first.headers.etag)
    const again = await get(path, { 'if-none-match': tag })
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect(again.headers.etag).toBe(tag)
    const changed = await fetch(`${server.url}/api/v1/inventory/${uid}/`, {
      method: 'PATCH',
      headers: { ...account.bearer, ...json },
      body: JSON.stringify({ title: `A cap ${Math.random()}` }),
    })
    expect(changed.status).toBe(200)
    expect(await get(path, { 'if-none-match': tag })).toMatchObject({ status: 200 })
  })

  it('of an item is taken as If-Match', async () => {
    const tag = String((await get(`/api/v1/inventory/${uid}/`)).headers.etag)
    const change = () =>
      fetch(`${server.url}/api/v1/inventory/${uid}/`, {
        method: 'PATCH',
        headers: { ...account.bearer, ...json, 'if-match': tag },
        body: JSON.stringify({ title: `A bonnet ${Math.random()}` }),
      })
    expect((await change()).status).toBe(200)
    expect((await change()).status).toBe(409)
  })
})

describe('compression', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('by %s gives the same list', async (encoding, decompress) => {
    const plain = await get('/api/v1/inventory/')
    const packed = await get('/api/v1/inventory/', { 'accept-encoding': encoding })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(decompress(packed.body)).toEqual(plain.body)
    expect(packed.body.length).toBeLessThan(plain.body.length / 3)
  })

  it('leaves pages and small answers as they are', async () => {
    for (const path of ['/', '/connect/', '/api/v1/user/settings/']) {
      expect((await get(path, { 'accept-encoding': 'br, gzip' })).headers['content-encoding'], path).toBeUndefined()
    }
  })

  it('leaves the event stream as it is', async () => {
    const leaving = new AbortController()
    const answer = await fetch(`${server.url}/api/v1/events/stream/`, {
      headers: { ...account.bearer, 'accept-encoding': 'br, gzip' },
      signal: leaving.signal,
    })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(answer.headers.get('content-encoding')).toBeNull()
    leaving.abort()
  })
})

describe('another origin', () => {
  const preflight = (origin: string, path = '/api/v1/inventory/') =>
    fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })

  it('may call the API with a key if it is configured', async () => {
    const asked = await preflight(shop)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(shop)
    expect(asked.headers.get('access-control-allow-headers')).toContain('X-API-Key')
    const answer = await get('/api/v1/inventory/', { origin: shop })
    expect(answer.headers['access-control-allow-origin']).toBe(shop)
    const refused = await rawRequest(`${server.url}/api/v1/inventory/`, { headers: { origin: shop } })
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': shop } })
  })

  it('may never use cookies or the header of the web app', async () => {
    const asked = await preflight(shop)
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('hapax')
    expect((await get('/api/v1/inventory/', { origin: shop })).headers).not.toHaveProperty(
      'access-control-allow-credentials',
    )
  })

  it.each([
    ['https://evil.example', '/api/v1/inventory/'],
    [`${shop}.evil.example`, '/api/v1/inventory/'],
    ['null', '/api/v1/inventory/'],
    [shop, '/connect/'],
  ])('%s gets nothing from %s otherwise', async (origin, path) => {
    expect((await preflight(origin, path)).headers.get('access-control-allow-origin')).toBeNull()
    expect((await get(path, { origin })).headers['access-control-allow-origin']).toBeUndefined()
  })
})
