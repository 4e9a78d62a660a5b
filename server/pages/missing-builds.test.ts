import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Router from '@koa/router'
import Koa from 'koa'
import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '#e2e/harness/server.ts'
import { readConfig } from '#server/config.ts'
import { mountHealth } from '#server/http/health.ts'
import { mountExtensionPage } from './extension.ts'
import { missingBuilds } from './missing-builds.ts'
import { mountWebApp } from './web-app/mount.ts'

const config = readConfig({ OPERATOR_NAME: 'Ada & Sons', OPERATOR_EMAIL: 'help@example.com' })

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hapax-built-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Serves the routes of a router on a free port. */
async function serve(router: Router): Promise<string> {
  const server = createServer(new Koa().use(router.routes()).callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('names what is not built, and what to run', () => {
  const folder = emptyFolder()
  const missing = missingBuilds(config, folder)
  expect(missing.map((one) => /^[^.]+/.exec(one)?.[0])).toEqual([
    'The web app is not built, so sellers get no /app/',
    'The API reference is not built, so /docs is plain',
    'The extension is not packed and no store address is set, so /extension/ offers no download',
  ])
  for (const one of missing) expect(one).toContain('npm run build')
})

it('names nothing that is built, or that a store has', () => {
  const folder = emptyFolder()
  for (const file of ['web/index.html', 'reference/swagger-ui.css.br']) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  const inStore = readConfig({ EXTENSION_CHROME_URL: 'https://store.example/hapax' })
  expect(missingBuilds(inStore, folder)).toEqual([])
  writeFileSync(join(folder, 'hapax-0.1.0-edge.zip'), '')
  expect(missingBuilds(config, folder)).toEqual([])
})

it('expects nothing of the sandbox, which builds while it starts', () => {
  expect(missingBuilds(readConfig({ SANDBOX: 'on' }), emptyFolder())).toEqual([])
})

it('shows sellers a page that speaks to them, without commands', async () => {
  const router = new Router({ strict: true, sensitive: true })
  const services = { config } as Parameters<typeof mountWebApp>[1]
  mountWebApp(router, services, emptyFolder())
  mountExtensionPage(router, services, emptyFolder())
  const url = await serve(router)
  const app = await fetch(`${url}/app/`)
  expect([app.status, app.headers.get('retry-after')]).toEqual([503, '60'])
  for (const page of [await app.text(), await (await fetch(`${url}/extension/`)).text()]) {
    expect(page).toContain('<a href="mailto:help@example.com">Ada &#38; Sons</a>')
    expect(page).not.toMatch(/npm|built|build/)
  }
})

it('is told to operators by /readyz, which stays ready', async () => {
  const server = await startTestServer({ works: false })
  onTestFinished(() => server.close())
  const router = new Router({ strict: true, sensitive: true })
  mountHealth(router, server.services, () => ['The web app is not built.'])
  const reply = await fetch(`${await serve(router)}/readyz`)
  expect([reply.status, await reply.json()]).toEqual([
    200,
    { status: 'ready', warnings: ['The web app is not built.'] },
  ])
})
