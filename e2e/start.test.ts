import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { begin, endOf, killRunning, type Started } from './start-process.ts'
import { within } from './timeouts.ts'

let dataDir: string
let port: number

beforeAll(async () => {
  dataDir = await mkdtemp(join(memoryFolder(), 'hapax-start-'))
  // The user postgres, as whom PostgreSQL runs for root, can enter it.
  await chmod(dataDir, 0o755)
  port = await freePorts(7)
})
afterAll(async () => {
  killRunning()
  await stopLeftPostgres()
  await rm(dataDir, { recursive: true, force: true })
})

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

/** The steps build on one another, since a start is dear. */
describe('npm start', () => {
  let running: Started

  it('runs, and says where', async () => {
    running = await start()
    expect(running.output()).toContain(url('/docs'))
    expect(running.output()).not.toContain('WARNING')
    expect((await fetch(url('/readyz'))).status).toBe(200)
    expect((await register('kept@example.com')).status).toBe(201)
  })

  it('refuses to run twice on one data folder or port, and touches no build', async () => {
    const page = join('extension', '.output', 'web', 'index.html')
    const isBuilt = existsSync(page)
    await mkdir(join('extension', '.output', 'web'), { recursive: true })
    if (!isBuilt) await writeFile(page, '<p>an earlier build</p>')
    const before = await stat(page)
    const second = beginStart([], { PORT: String(await freePorts(7)) })
    expect(await endOf(second)).toBe(1)
    expect(second.output()).toContain('Hapax is already running on')
    const third = beginStart([], { DATA_DIR: join(dataDir, 'other') })
    expect(await endOf(third)).toBe(1)
    expect(third.output()).toContain(`Port ${port} is taken by another program`)
    const { ino, mtimeMs } = await stat(page)
    if (!isBuilt) await rm(page)
    expect([ino, mtimeMs]).toEqual([before.ino, before.mtimeMs])
    expect(running.child.exitCode).toBeNull()
    expect((await fetch(url('/readyz'))).status).toBe(200)
  })

  it('stops cleanly, and keeps its data at a second start', async () => {
    running.child.kill('SIGINT')
    expect(await endOf(running)).toBe(0)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
    running = await start()
    expect((await register('kept@example.com')).status).toBe(409)
  })

  it('restarts with the same data after a crash', async () => {
    const registered = await register('crashed@example.com')
    expect(registered.status).toBe(201)
    const { token, user } = (await registered.json()) as { token: string; user: { id: number } }
    running.child.kill('SIGKILL')
    await endOf(running)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    await leaveRunning(user.id, 'cut-off')

    running = await start()
    expect((await register('crashed@example.com')).status).toBe(409)
    // Its process is gone, so repeating the call need not wait for its lease.
    const repeated = await fetch(url('/api/v1/api-keys/'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': 'cut-off' },
      body: JSON.stringify({ name: 'repeated' }),
    })
    expect(repeated.status).toBe(201)
  })

  it('exits when PostgreSQL is killed and restarts with its data', async () => {
    expect((await register('killed@example.com')).status).toBe(201)
    process.kill(await postgresPid(), 'SIGKILL')
    expect(await endOf(running)).toBe(1)
    expect(running.output()).toContain('PostgreSQL ended by itself (SIGKILL)')
    running = await start()
    expect((await register('killed@example.com')).status).toBe(409)
    running.child.kill('SIGINT')
    expect(await endOf(running)).toBe(0)
  })

  it('says which ports do not exist and which setting helps', async () => {
    const refused = beginStart([], { PORT: '65534' })
    expect(await endOf(refused)).toBe(1)
    expect(refused.output()).toContain('Port 65536, which the sandbox Etsy needs, does not exist')
    expect(refused.output()).toContain('Set PORT to 65529 or less')
  })
})
