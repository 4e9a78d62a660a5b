import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { begin, endOf, killRunning, type Started } from './start-process.ts'
import { within } from './timeouts.ts'

let dataDir: string
/** The data of the first test. Others start on it, since the first start of a data folder takes five times as long. */
let installed = ''
let port: number

beforeEach(async () => {
  dataDir = await mkdtemp(join(memoryFolder(), 'hapax-start-'))
  // The user postgres, as whom PostgreSQL runs for root, can enter it.
  await chmod(dataDir, 0o755)
  port = await freePorts(7)
})
afterEach(async () => {
  killRunning()
  await stopLeftPostgres()
  if (dataDir !== installed) await rm(dataDir, { recursive: true, force: true })
})
afterAll(() => rm(installed, { recursive: true, force: true }))

async function useInstalled(): Promise<void> {
  if (installed) {
    await rm(dataDir, { recursive: true })
    dataDir = installed
  }
  installed = dataDir
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`

/** Runs the command behind `npm start`. */
const beginStart = (args: string[] = [], environment: Record<string, string> = {}) =>
  begin(['.tools/start.ts', ...args], { DATA_DIR: dataDir, PORT: String(port), ...environment })

/** Runs the command behind `npm start` until it reports that everything runs. */
async function start(args = ['--no-extension']): Promise<Started> {
  const { child, output: said, exited } = beginStart(args)
  let output = ''
  const started = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Ctrl-C stops everything.')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    exited.then(() => reject(new Error(`it ended instead of starting:\n${output}`)))
  })
  await within(() => `everything to run; it said:\n${output}`, started)
  return { child, output: said, exited }
}

const register = (email: string) =>
  fetch(url('/api/auth/register/email/'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a fine coat 1', password_confirm: 'a fine coat 1' }),
  })

async function postgresPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function stopLeftPostgres(): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) return
  process.kill(await postgresPid(), 'SIGQUIT')
}

/** Leaves a call with an Idempotency-Key running, as a killed server does. */
async function leaveRunning(user_id: number, key: string): Promise<void> {
  const db = openDatabase({ url: (await findEmbeddedDatabase(dataDir)) ?? '' })
  await db.none(
    "insert into idempotent_call (user_id, key, request_hash, lease, leased_until) values ($1, $2, 'x', $3, now() + interval '1 hour')",
    [user_id, key, randomUUID()],
  )
  await closeDatabase(db)
}

describe('npm start', () => {
  it('runs, stops cleanly, and keeps its data at a second start', async () => {
    installed = dataDir
    const first = await start()
    expect(first.output()).toContain(url('/docs'))
    expect((await fetch(url('/readyz'))).status).toBe(200)
    expect((await register('kept@example.com')).status).toBe(201)
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(0)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)

    const second = await start()
    expect((await register('kept@example.com')).status).toBe(409)
    second.child.kill('SIGINT')
    expect(await endOf(second)).toBe(0)
  })

  it('restarts with the same data after a crash', async () => {
    await useInstalled()
    const first = await start()
    const registered = await register('crashed@example.com')
    expect(registered.status).toBe(201)
    const { token, user } = (await registered.json()) as { token: string; user: { id: number } }
    first.child.kill('SIGKILL')
    await endOf(first)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    await leaveRunning(user.id, 'cut-off')

    const second = await start()
    expect((await register('crashed@example.com')).status).toBe(409)
    // Its process is gone, so repeating the call need not wait for its lease.
    const repeated = await fetch(url('/api/v1/api-keys/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': 'cut-off' },
      body: JSON.stringify({ name: 'repeated' }),
    })
    expect(repeated.status).toBe(201)
    second.child.kill('SIGINT')
    expect(await endOf(second)).toBe(0)
  })

  it('exits when PostgreSQL is killed and restarts with its data', async () => {
    await useInstalled()
    const first = await start()
    expect((await register('killed@example.com')).status).toBe(201)
    process.kill(await postgresPid(), 'SIGKILL')
    expect(await endOf(first)).toBe(1)
    expect(first.output()).toContain('PostgreSQL ended by itself (SIGKILL)')

    const second = await start()
    expect((await register('killed@example.com')).status).toBe(409)
    second.child.kill('SIGINT')
    expect(await endOf(second)).toBe(0)
  })

  it('refuses to run twice on one data folder', async () => {
    await useInstalled()
    const first = await start()
    port = await freePorts(7)
    await expect(start()).rejects.toThrow(/already running/)
    expect(first.child.exitCode).toBeNull()
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(0)
  })

  it('touches no build when it is refused', async () => {
    await useInstalled()
    const page = join('extension', '.output', 'web', 'index.html')
    const isBuilt = existsSync(page)
    await mkdir(join('extension', '.output', 'web'), { recursive: true })
    if (!isBuilt) await writeFile(page, '<p>an earlier build</p>')
    const before = await stat(page)
    const first = await start()
    const firstPort = port
    port = await freePorts(7)
    const second = beginStart()
    expect(await endOf(second)).toBe(1)
    expect(second.output()).toContain('Hapax is already running on')
    port = firstPort
    const third = beginStart([], { DATA_DIR: join(dataDir, 'other') })
    expect(await endOf(third)).toBe(1)
    expect(third.output()).toContain(`Port ${firstPort} is taken by another program`)
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(0)
    const { ino, mtimeMs } = await stat(page)
    if (!isBuilt) await rm(page)
    expect([ino, mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('says which ports do not exist and which setting helps', async () => {
    const refused = beginStart([], { PORT: '65534' })
    expect(await endOf(refused)).toBe(1)
    expect(refused.output()).toContain('Port 65536, which the sandbox Etsy needs, does not exist')
    expect(refused.output()).toContain('Set PORT to 65529 or less')
  })
})
