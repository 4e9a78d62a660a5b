import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Router from '@koa/router'
import Koa from 'koa'
import { inject } from 'light-my-request'
import { afterEach, beforeEach, expect, it } from 'vitest'
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

function serve() {
  const router = new Router({ strict: true })
  mountWebApp(router, { config: { PUBLIC_URL: 'http://127.0.0.1' } } as Services, folder)
  const handler = new Koa({ silent: true } as object).use(router.routes()).callback()
  return async (path: string) => {
    const reply = await inject(handler, { url: path, headers: { 'accept-encoding': 'br' } })
    return { status: reply.statusCode, encoding: reply.headers['content-encoding'], body: reply.rawPayload }
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

it('sends the compressed form that the build made', async () => {
  await build({ 'index.html': '<p>plain</p>', 'index.html.br': brotliCompressSync('<p>packed</p>'), 'icon.png': 'x' })
  const get = serve()
  expect(await get('/app/')).toEqual({ status: 200, encoding: 'br', body: brotliCompressSync('<p>packed</p>') })
  expect((await get('/app/icon.png')).encoding).toBeUndefined()
  expect((await get('/app/index.html.br')).status).toBe(404)
})
