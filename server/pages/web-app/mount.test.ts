import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Router from '@koa/router'
import Koa from 'koa'
import { inject } from 'light-my-request'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { mountWebApp } from './mount.ts'

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hapax-web-'))
  folder = join(parent, 'web')
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** Writes files in the place that the server reads. */
async function build(files: Record<string, string | Buffer>): Promise<void> {
  for (const [name, body] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), body)
  }
}

function serve(sandbox = false) {
  const router = new Router({ strict: true })
  mountWebApp(router, { config: { PUBLIC_URL: 'http://127.0.0.1', sandbox } } as Services, folder)
  const handler = new Koa({ silent: true } as object).use(router.routes()).callback()
  return async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const reply = await inject(handler, { method, url: path, headers: { 'accept-encoding': 'br' } })
    const { refresh, location, 'content-encoding': encoding, 'content-security-policy': policy } = reply.headers
    return { status: reply.statusCode, encoding, policy, refresh, location, body: reply.rawPayload }
  }
}

it('serves an app that was built after a broken one was read', async () => {
  await build({ 'icon/16.png': 'the icon of a half-removed app' })
  const get = serve()
  expect((await get('/app/')).status).toBe(503)
  await rename(folder, `${folder}.old`)
  await build({ 'index.html': '<p>whole</p>', 'assets/app.js': 'run()' })
  expect((await get('/app/')).body.toString()).toBe('<p>whole</p>')
  expect((await get('/app/assets/app.js')).status).toBe(200)
})

it('serves a newer build once it is in place', async () => {
  await build({ 'index.html': '<p>old</p>', 'assets/old.js': 'run()' })
  const get = serve()
  expect((await get('/app/')).body.toString()).toBe('<p>old</p>')
  await rename(folder, `${folder}.old`)
  expect((await get('/app/')).body.toString()).toBe('<p>old</p>')
  await build({ 'index.html': '<p>new</p>', 'assets/new.js': 'run()' })
  expect((await get('/app/')).body.toString()).toBe('<p>new</p>')
  expect((await get('/app/assets/new.js')).status).toBe(200)
})

it.each([
  [true, '3', 'Hapax is still starting'],
  [false, undefined, 'The app is not available yet'],
])('says that there is no app yet; it opens by itself in the sandbox: %s', async (sandbox, refresh, words) => {
  const reply = await serve(sandbox)('/app/')
  expect([reply.status, reply.refresh]).toEqual([503, refresh])
  expect(reply.body.toString()).toContain(`<h1>${words}</h1>`)
})

it('sends the compressed form that the build made', async () => {
  await build({ 'index.html': '<p>plain</p>', 'index.html.br': brotliCompressSync('<p>packed</p>'), 'icon.png': 'x' })
  const get = serve()
  expect(await get('/app/')).toMatchObject({ status: 200, encoding: 'br', body: brotliCompressSync('<p>packed</p>') })
  expect((await get('/app/icon.png')).encoding).toBeUndefined()
  expect((await get('/app/index.html.br')).status).toBe(404)
})

it.each([
  [false, "img-src 'self' https: data: blob:"],
  [true, "img-src 'self' https: http: data: blob:"],
])('shows pictures by http in the sandbox alone: %s', async (sandbox, sources) => {
  await build({ 'index.html': '<p>app</p>' })
  expect((await serve(sandbox)('/app/')).policy).toContain(sources)
})

it('takes no larger photo from another app than the server', async () => {
  const worker = await readFile(new URL('../../../extension/app/web/public/sw.js', import.meta.url), 'utf8')
  const most = /mostShared = \{ photos: \d+, bytes: ([\d_]+),/.exec(worker)![1]!
  expect(Number(most.replaceAll('_', ''))).toBe(waysIn.picture.bytes)
})

it('keeps nothing that an app shares without the service worker, and says so', async () => {
  await build({ 'index.html': '<p>app</p>' })
  expect(await serve()('/app/share', 'POST')).toMatchObject({ status: 303, location: '/app/#drafts/lost' })
})
