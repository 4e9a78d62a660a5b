import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, limits: { pushesPerMinute: 30, documentsPerMinute: 20 } })
})
afterAll(() => server?.close())

/** Sends the head of a request byte by byte, as no client does. */
function sendRaw(head: string[]): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.end(`${head.join('\r\n')}\r\n\r\n`))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('requests without a credential', () => {
  it('limits pushes by address', async () => {
    const push = () => fetch(`${server.url}/webhooks/ebay/`, { method: 'POST', body: '{}' })
    const statuses = (await parallel(40, push)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const refused = await push()
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
  })

  it('get 304 for unchanged documents and count by address', async () => {
    const first = await fetch(`${server.url}/api/openapi.json`)
    const etag = first.headers.get('etag')!
    expect((await first.json()).openapi).toBe('3.1.0')
    // fetch would request a fresh copy.
    const { host } = new URL(server.url)
    const again = await sendRaw([
      ...['GET /api/openapi.json HTTP/1.1', `Host: ${host}`, `If-None-Match: ${etag}`, 'Connection: close'],
    ])
    expect(again).toMatch(/^HTTP\/1.1 304 /)
    expect(again).toContain('Cache-Control: public, max-age=300')
    const pages = ['/', '/docs', '/docs/errors', '/privacy']
    const answers = await parallel(24, (index) => fetch(`${server.url}${pages[index % pages.length]}`))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  it('refuses a request with two Host headers', async () => {
    const { host } = new URL(server.url)
    const own = await sendRaw(['GET /healthz HTTP/1.1', `Host: ${host}`, 'Connection: close'])
    expect(own).toMatch(/^HTTP\/1.1 200 /)
    for (const second of [host, 'evil.example']) {
      const answer = await sendRaw(['GET /readyz HTTP/1.1', `Host: ${host}`, `Host: ${second}`, 'Connection: close'])
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
    }
  })

  it('warns once about a proxy that TRUSTED_HOPS does not count', async () => {
    await parallel(3, () => fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': '198.18.0.9' } }))
    const warnings = server.logged.filter((line) => line.includes('set TRUSTED_HOPS to the number of proxies'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0]!)).toMatchObject({ level: 'warn', peer: '127.0.0.1' })
  })
})
