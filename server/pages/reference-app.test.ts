import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Router from '@koa/router'
import Koa from 'koa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountReferenceApp } from './reference-app.ts'

let folder: string
let server: Server | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hapax-reference-'))
})
afterEach(() => {
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(from: string): Promise<(path: string, encoding?: string) => Promise<Response>> {
  const app = new Koa()
  const router = new Router()
  mountReferenceApp(router, plain, from)
  app.use(router.routes())
  server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return (path, encoding = 'br') =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': encoding } })
}

const plain: Koa.Middleware = (ctx) => {
  ctx.body = 'plain'
}

describe('the reference with scripts', () => {
  it('is the plain page until it is built', async () => {
    const read = await serve(join(folder, 'none'))
    expect(await (await read('/docs')).text()).toBe('plain')
    expect((await read('/docs/swagger-ui.css')).status).toBe(404)
  })

  it('runs scripts of this server only, and links to the plain page', async () => {
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      writeFileSync(join(folder, name), 'all()')
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync('all()'))
    }
    const read = await serve(folder)
    const page = await read('/docs')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(await (await read('/docs/start.js')).text()).toContain('"validatorUrl":null')
    expect(await page.text()).toContain('<noscript><p>This page needs JavaScript. <a href="/docs/plain">')
    for (const encoding of ['br', 'identity']) {
      const script = await read('/docs/swagger-ui-bundle.js', encoding)
      expect(script.headers.get('content-encoding')).toBe(encoding === 'br' ? 'br' : null)
      expect(await script.text()).toBe('all()')
    }
  })
})
