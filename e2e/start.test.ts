import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { freePorts } from '#server/testing/free-ports.ts'
import { within } from './timeouts.ts'

let dataDir: string
let port: number
const running = new Set<ChildProcess>()

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hapax-start-'))
  port = await freePorts(5)
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await stopLeftPostgres()
  await rm(dataDir, { recursive: true, force: true })
})

const url = (path: string) => `http://127.0.0.1:${port}${path}`

interface Started {
  child: ChildProcess
  output: () => string
  exited: Promise<number | null>
}

/** Runs the command behind `npm start` until it reports that everything runs. */
async function start(): Promise<Started> {
  const child = spawn(process.execPath, ['.tools/start.ts', '--no-extension'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), SANDBOX: 'on' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
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
  return { child, output: () => output, exited: exited.finally(() => running.delete(child)) }
}

/** Returns the exit code once it ends. */
const endOf = ({ exited, output }: Started) => within(() => `the end of it; it said:\n${output()}`, exited)

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
    const first = await start()
    const registered = await register('kept@example.com')
    expect(registered.status).toBe(201)
    const { token, user } = (await registered.json()) as { token: string; user: { id: number } }
    first.child.kill('SIGKILL')
    await endOf(first)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    await leaveRunning(user.id, 'cut-off')

    const second = await start()
    expect((await register('kept@example.com')).status).toBe(409)
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
    const first = await start()
    expect((await register('kept@example.com')).status).toBe(201)
    process.kill(await postgresPid(), 'SIGKILL')
    expect(await endOf(first)).toBe(1)
    expect(first.output()).toContain('PostgreSQL ended by itself (SIGKILL)')

    const second = await start()
    expect((await register('kept@example.com')).status).toBe(409)
    second.child.kill('SIGINT')
    expect(await endOf(second)).toBe(0)
  })

  it('refuses to run twice on one data folder', async () => {
    const first = await start()
    port = await freePorts(5)
    await expect(start()).rejects.toThrow(/already running/)
    expect(first.child.exitCode).toBeNull()
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(0)
  })
})
