import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { apiOf, bearer } from '#e2e/harness/api.ts'
import { goodPassword, someEmail } from '#e2e/harness/register.ts'
import { startServerProcess } from '#e2e/harness/server-process.ts'
import { memoryFolder } from '#tools/memory-folder.ts'

const command = fileURLToPath(new URL('./commands/backup.ts', import.meta.url))

/** Runs `npm run backup` or `npm run restore` on a DATA_DIR. */
const run = (what: string, place: string, environment: Record<string, string>) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile(process.execPath, [command, what, place], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: `${stdout}${stderr}` }),
    )
  })

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'hapax-copy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const item = (title: string) => ({
  ...{ title, images: ['https://pictures.example/1.jpg'], condition: { label: 'Good' } },
  offer: { price_minor: 8_500, currency: 'USD' },
})

it('brings an embedded database back with its photos, as it was', async () => {
  const folder = await someFolder()
  const [first, second, copy] = [join(folder, 'first'), join(folder, 'second'), join(folder, 'copy')]
  const server = await startServerProcess({ DATA_DIR: first, REGISTRATION: 'invited' })
  onTestFinished(async () => void (await server.end()))
  const api = apiOf(server.url)
  const email = someEmail()
  const registered = await api('POST', '/api/auth/register/email/', {
    body: { email, password: goodPassword, password_confirm: goodPassword },
  })
  const headers = bearer(registered.body.token)
  const { body: key } = await api('POST', '/api/v1/api-keys/', {
    headers,
    body: { name: 'copy', scopes: ['inventory:read', 'inventory:write'] },
  })
  const keyed = { 'x-api-key': key.key as string }
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const uploaded = await fetch(`${server.url}/api/v1/images/`, {
    method: 'POST',
    headers: { ...keyed, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  })
  expect(uploaded.status).toBe(201)
  const { url: photo } = (await uploaded.json()) as { url: string }
  const create = (title: string) => api('POST', '/api/v1/inventory/', { headers: keyed, body: item(title) })
  const kept = await create('Kept before')
  expect(kept.status).toBe(201)

  // Sellers go on writing while the copy is made.
  let isCopying = true
  const during = (async () => {
    const made: string[] = []
    while (isCopying) made.push((await create(`During ${made.length}`)).body.uid)
    return made
  })()
  const backedUp = await run('backup', copy, { DATA_DIR: first }).finally(() => {
    isCopying = false
  })
  expect(backedUp).toEqual({ code: 0, said: expect.stringContaining(copy) })
  expect((await during).length).toBeGreaterThan(0)
  const later = await create('Made later')
  const { owned } = (await api('GET', '/api/v1/server/', { headers })).body
  expect([Date.parse(owned.backed_up_at) > Date.now() - 600_000, owned.backup_is_late]).toEqual([true, false])
  expect(await run('backup', copy, { DATA_DIR: first })).toMatchObject({
    code: 1,
    said: expect.stringContaining('exists'),
  })
  await server.end()

  expect(await run('restore', copy, { DATA_DIR: second })).toEqual({ code: 0, said: expect.stringContaining(second) })
  const restored = await startServerProcess({ DATA_DIR: second, PAUSED: 'on' })
  onTestFinished(async () => void (await restored.end()))
  const again = apiOf(restored.url)
  const signedIn = await again('POST', '/api/auth/login/', { body: { email, password: goodPassword } })
  expect(signedIn.status).toBe(200)
  expect(await again('GET', `/api/v1/inventory/${kept.body.uid}/`, { headers: keyed })).toMatchObject({
    status: 200,
    body: { record: { title: 'Kept before' } },
  })
  expect((await again('GET', `/api/v1/inventory/${later.body.uid}/`, { headers: keyed })).status).toBe(404)
  const shown = await fetch(`${restored.url}${new URL(photo).pathname}`)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
}, 120_000)

it('restores nothing over data, and no other folder', async () => {
  const folder = await someFolder()
  const [used, empty] = [join(folder, 'used'), join(folder, 'empty')]
  await mkdir(join(used, 'postgres'), { recursive: true })
  await mkdir(join(folder, 'copy', 'postgres'), { recursive: true })
  expect(await run('restore', empty, { DATA_DIR: join(folder, 'new') })).toMatchObject({
    code: 1,
    said: expect.stringContaining('is no backup'),
  })
  expect(existsSync(join(folder, 'new'))).toBe(false)
  expect(await run('restore', used, { DATA_DIR: used })).toMatchObject({ code: 1 })
  expect(await readdir(used)).toEqual(['postgres'])
})

it('says what to do where nothing runs', async () => {
  const answer = await run('backup', 'nowhere', { DATA_DIR: await someFolder() })
  expect(answer).toMatchObject({ code: 1, said: expect.stringContaining('start Hapax first') })
})
