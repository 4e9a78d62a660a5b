import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer } from '#e2e/harness/api.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { goodPassword } from '#e2e/harness/register.ts'
import { until } from '#e2e/harness/until.ts'
import { connectSandboxShop } from '#server/integrations/connections/testing/connect.ts'

/** Mounts a small disk. Where that is impossible, server/infra/log/log-destination.test.ts still injects the error. */
const dataDir = mkdtempSync(join(tmpdir(), 'hapax-disk-'))
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', dataDir]).status === 0

let child: ChildProcess
let url: string
let [ebayUrl, etsyUrl] = ['', '']
let output = ''
beforeAll(async () => {
  if (!isMounted) return
  const port = await freePorts(7)
  url = `http://127.0.0.1:${port}`
  ebayUrl = `http://127.0.0.1:${port + 1}`
  etsyUrl = `http://127.0.0.1:${port + 2}`
  child = spawn(process.execPath, ['.tools/start.ts', '--no-extension'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), SANDBOX: 'on' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  await until(
    () => output.includes('Ctrl-C stops everything.') || child.exitCode !== null,
    (ready) => ready,
  )
  expect(child.exitCode, output).toBeNull()
})
afterAll(async () => {
  if (child?.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await ended
  }
  if (isMounted) spawnSync('umount', ['-l', dataDir])
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(method: string, path: string, token?: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token ? bearer(token) : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize
}

/** Fills the disk except the reserve; returns how to free it. */
function fillDisk(): () => void {
  const path = join(dataDir, 'filling')
  const fd = openSync(path, 'w')
  let left = freeBytes()
  let size = 1_048_576
  while (size >= 1 && left > 0) {
    try {
      left -= writeSync(fd, Buffer.alloc(Math.min(size, left)))
    } catch {
      size = Math.floor(size / 2)
    }
  }
  closeSync(fd)
  return () => rmSync(path)
}

const item = () => ({
  title: 'Brass desk lamp',
  description: randomBytes(7_000).toString('base64'),
  images: ['https://i.example/lamp.jpg'],
  condition: { label: 'Good' },
  offer: { price_minor: 4_500, currency: 'EUR' },
})

async function register(email: string): Promise<string> {
  const registered = await call('POST', '/api/auth/register/email/', undefined, {
    email,
    password: goodPassword,
    password_confirm: goodPassword,
  })
  return (JSON.parse(registered.text) as { token: string }).token
}

const json = async (method: string, path: string, token: string, body?: object) =>
  JSON.parse((await call(method, path, token, body)).text)

/** Waits until an import ends and returns its job. */
const importEnd = (token: string, id: string) =>
  until(
    () => json('GET', `/api/v1/marketplace/import/jobs/${id}/`, token),
    ({ status }) => status === 'completed' || status === 'failed',
  )

/** Lists an item on the sandbox's Etsy with the first options and returns its state there. */
async function listOnEtsy(token: string, uid: string): Promise<string> {
  const { choices } = await json('GET', `/api/v1/inventory/${uid}/platforms/etsy/choices/`, token)
  const required = (choices as { option: string; required: boolean; values: { id: string }[] }[]).filter(
    (choice) => choice.required,
  )
  const options = Object.fromEntries(required.map(({ option, values }) => [option, values[0]!.id]))
  // 202 while a busy machine has not settled it: then the same request again tells the outcome.
  const listed = await until(
    () => call('POST', `/api/v1/inventory/${uid}/platforms/etsy/list/`, token, { price: '45.00', options }),
    ({ status }) => status !== 202,
  )
  expect([listed.status, listed.text]).toEqual([200, expect.any(String)])
  return (JSON.parse(listed.text) as { listing_id: string }).listing_id
}

const etsyPage = async (listingId: string) => (await fetch(`${etsyUrl}/listing/${listingId}`)).text()

it.skipIf(!isMounted)('reads on a full disk, refuses writes and recovers by itself', async () => {
  const token = await register('ada@example.com')
  expect((await call('POST', '/api/v1/inventory/', token, item())).status).toBe(201)

  const free = fillDisk()
  const seen = new Map<number, number>()
  const refused = { retryAfter: null as string | null, code: '' }
  for (let index = 0; index < 120; index++) {
    const { status, retryAfter, text } = await call('POST', '/api/v1/inventory/', token, item())
    seen.set(status, (seen.get(status) ?? 0) + 1)
    if (status === 503) Object.assign(refused, { retryAfter, code: JSON.parse(text).code })
    expect((await call('GET', '/api/v1/inventory/', token)).status).toBe(200)
    if (index % 10 === 0) expect((await call('GET', '/connect/')).status).toBe(200)
  }
  expect([...seen.keys()].filter((status) => status !== 201)).toEqual([503])
  expect(refused).toEqual({ retryAfter: expect.stringMatching(/^\d+$/), code: 'unavailable' })
  expect(child.exitCode, output).toBeNull()

  free()
  await until(
    () => call('POST', '/api/v1/inventory/', token, item()),
    ({ status }) => status === 201,
  )
  expect(child.exitCode, output).toBeNull()
  expect(existsSync(join(dataDir, 'hapax.log'))).toBe(true)
})

it.skipIf(!isMounted)('delists a sold item on a full disk and imports once there is room', async () => {
  const token = await register('vera@example.com')
  await connectSandboxShop(url, { bearer: bearer(token) }, { slug: 'ebay', seller: 'camera_carl' })
  await connectSandboxShop(url, { bearer: bearer(token) }, { slug: 'etsy', seller: 'VintageVeraShop' })
  const address = {
    full_name: 'Vera',
    line1: '1 Quay',
    city: 'Portland',
    region: 'ME',
    postal_code: '04101',
    country: 'US',
  }
  await call('PUT', '/api/v1/user/address/', token, address)
  const first = await json('POST', '/api/v1/marketplace/ebay/import/', token)
  expect(await importEnd(token, first.id)).toMatchObject({ status: 'completed' })
  const { results } = await json('GET', '/api/v1/inventory/?page_size=50', token)
  const available = (
    results as {
      uid: string
      listings: { platform: string; listing_id: string; state: string }[]
      record: { lifecycle: { state: string } }
    }[]
  ).find(({ listings, record }) => listings[0]?.state === 'available' && record.lifecycle.state === 'available')!
  const ebayId = available.listings[0]!.listing_id
  const etsyId = await listOnEtsy(token, available.uid)
  expect(await etsyPage(etsyId)).not.toContain('inactive')

  const free = fillDisk()
  await until(
    () => call('POST', '/api/v1/inventory/', token, item()),
    ({ status }) => status === 503,
  )
  // The sandbox's orders are on the same disk and need the reserve, too.
  await until(freeBytes, (free) => free > 48 * 1_048_576)
  const waiting = await json('POST', '/api/v1/marketplace/etsy/import/', token)
  const bought = await fetch(`${ebayUrl}/itm/${ebayId}/buy`, { method: 'POST', body: new URLSearchParams() })
  expect([bought.status, await bought.text()]).toEqual([200, expect.any(String)])
  await until(
    () => etsyPage(etsyId),
    (page) => page.includes('inactive'),
  )
  expect((await json('GET', `/api/v1/inventory/${available.uid}/`, token)).record.lifecycle.state).toBe('sold')
  expect((await call('POST', `/api/v1/inventory/${results[1].uid}/platforms/ebay/delist/`, token)).status).toBeLessThan(
    300,
  )
  expect((await call('POST', '/api/v1/inventory/', token, item())).status).toBe(503)
  expect(waiting.code ?? waiting.status).toBe('unavailable')
  expect(child.exitCode, output).toBeNull()

  free()
  await until(
    () => call('POST', '/api/v1/inventory/', token, item()),
    ({ status }) => status === 201,
  )
  const last = await json('POST', '/api/v1/marketplace/etsy/import/', token)
  expect(await importEnd(token, last.id)).toMatchObject({ status: 'completed' })
})
