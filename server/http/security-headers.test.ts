import { request } from 'node:http'
import { connect } from 'node:net'
import type Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { readConfig } from '#server/config.ts'
import { securityHeaders } from './security-headers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { PUBLIC_URL: 'https://hapax.example' } })
})
afterAll(() => server?.close())

/** Requests like a proxy in front of the server: for the public host. */
function ask(
  method: string,
  path: string,
  host = 'hapax.example',
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { method, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('a request by address', () => {
  it.each(['/healthz', '/readyz', '/metrics'])('to %s is answered for load balancers and monitors', async (path) => {
    expect((await ask('GET', path, '10.0.0.5:8080')).status).toBe(200)
  })

  it.each(['/', '/healthz/', '/api/auth/validate/'])('to %s is refused', async (path) => {
    expect((await ask('GET', path, '10.0.0.5:8080')).status).toBe(421)
  })
})

describe('every response over https', () => {
  it.each([
    ['GET', '/', 200],
    ['GET', '/connect/', 200],
    ['GET', '/docs/plain', 200],
    ['GET', '/assets/hapax.css', 200],
    ['GET', '/healthz', 200],
    ['GET', '/api/openapi.json', 200],
    ['GET', '/api/auth/validate/', 401],
    ['GET', '/no-such-page', 404],
    ['PUT', '/api/auth/validate/', 405],
  ])('%s %s has HSTS and forbids framing, sniffing and scripts', async (method, path, status) => {
    const answer = await ask(method, path)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': path === '/connect/' ? 'same-origin' : 'no-referrer',
      'content-type': expect.stringMatching(/^(text\/(html|css)|application\/(problem\+)?json)(; charset=utf-8)?$/),
    })
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'")
    expect(policy).not.toMatch(/script-src|unsafe|\*/)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect(answer.headers).not.toHaveProperty('server')
    expect(answer.headers).not.toHaveProperty('x-powered-by')
  })

  it('to TRACE does not echo the request', async () => {
    const { status, body } = await ask('TRACE', '/api/auth/validate/?marker')
    expect(status).toBe(405)
    expect(body).not.toContain('marker')
  })
})

describe('HSTS', () => {
  const headerOf = (environment: Record<string, string>) => {
    const config = readConfig({ PUBLIC_URL: 'https://hapax.example', ...environment })
    const headers = new Map<string, unknown>()
    const ctx = {
      path: '/',
      req: { rawHeaders: [], headers: { host: new URL(config.PUBLIC_URL).host } },
      res: { setHeader: (name: string, value: unknown) => headers.set(name, value) },
    } as unknown as Koa.Context
    securityHeaders(config)(ctx)
    return headers.get('Strict-Transport-Security')
  }

  it('lasts as long as the setting says, on subdomains too', () => {
    expect(headerOf({})).toBe('max-age=63072000; includeSubDomains')
    expect(headerOf({ HSTS_DAYS: '30' })).toBe('max-age=2592000; includeSubDomains')
    expect(headerOf({ HSTS_DAYS: '0' })).toBeUndefined()
    expect(headerOf({ PUBLIC_URL: 'http://127.0.0.1:8080' })).toBeUndefined()
  })
})

describe('an address without its last slash', () => {
  it('is 404 and names the address with it, whether a thing exists or not', async () => {
    for (const path of ['/api/v1/inventory', '/api/v1/inventory/inv_00000000000000000000']) {
      const { status, body } = await ask('GET', path)
      expect(status).toBe(404)
      expect(JSON.parse(body)).toMatchObject({
        type: 'https://hapax.example/docs/errors#not_found',
        detail: `Addresses end with a slash here: ${path}/`,
      })
    }
    expect(JSON.parse((await ask('GET', '/api/v1/nothing')).body).detail).not.toContain('slash')
  })
})

describe('an ambiguous request', () => {
  const lengths = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'
  it.each([
    ['both a length and chunks', lengths],
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n'],
    ['a length that is none', 'Content-Length: +4\r\n'],
    ['an unknown encoding', 'Transfer-Encoding: chunked, x\r\n'],
  ])('is refused without reading what follows: %s', async (_, headers) => {
    const smuggled = 'GET /healthz HTTP/1.1\r\nHost: hapax.example\r\n\r\n'
    const text = await new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('data', (chunk) => (answer += chunk))
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
      socket.write(`POST /api/auth/login/ HTTP/1.1\r\nHost: hapax.example\r\n${headers}\r\n0\r\n\r\n${smuggled}`)
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })
})
