import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer } from '#server/testing/api.ts'
import { freePorts } from '#server/testing/free-ports.ts'
import { goodPassword } from '#server/testing/people.ts'
import { until } from '#server/testing/until.ts'

/** A small disk of its own. Where it cannot be mounted, server/log-destination.test.ts still injects the error. */
const dataDir = mkdtempSync(join(tmpdir(), 'hapax-disk-'))
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=755', 'tmpfs', dataDir]).status === 0

let child: ChildProcess
let url: string
let output = ''
beforeAll(async () => {
  if (!isMounted) return
  const port = await freePorts(5)
  url = `http://127.0.0.1:${port}`
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

/** Takes all the room there is, and gives back a way to free it. */
function fillDisk(): () => void {
  const path = join(dataDir, 'filling')
  const fd = openSync(path, 'w')
  let size = 1_048_576
  while (size >= 1) {
    try {
      writeSync(fd, Buffer.alloc(size))
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

it.skipIf(!isMounted)('reads on a full disk, refuses writes with 503, and goes on by itself', async () => {
  const registered = await call('POST', '/api/auth/register/email/', undefined, {
    email: 'ada@example.com',
    password: goodPassword,
    password_confirm: goodPassword,
  })
  const { token } = JSON.parse(registered.text) as { token: string }
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
  expect(readFileSync(join(dataDir, 'hapax.log'), 'utf8')).toContain('log lines were lost')
})
