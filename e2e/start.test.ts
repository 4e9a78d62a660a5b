import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { until, within } from './timeouts.ts'

let dataDir: string
/** The data of the first test. Others start on it, since the first start of a data folder takes five times as long. */
let installed = ''
let port: number
const running = new Set<ChildProcess>()

beforeEach(async () => {
  dataDir = await mkdtemp(join(memoryFolder(), 'hapax-start-'))
  // The user postgres, as whom PostgreSQL runs for root, can enter it.
  await chmod(dataDir, 0o755)
  port = await freePorts(7)
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
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

interface Started {
  child: ChildProcess
  output: () => string
  exited: Promise<number | null>
}

/** Runs the command behind `npm start` until it reports that everything runs. */
async function start(args = ['--no-extension']): Promise<Started> {
  const { child, output: said, exited } = begin(['.tools/start.ts', ...args])
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

/** Runs a script as a process of its own, and collects its output. */
function begin(args: string[], environment: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), SANDBOX: 'on', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  return { child, output: () => output, exited: exited.finally(() => running.delete(child)) }
}

/** Returns the ids of processes that were started with this data folder. Only Linux tells. */
function processesOf(folder: string): string[] {
  return globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(`DATA_DIR=${folder}\0`)
    } catch {
      return false
    }
  })
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

  it.each([
    ['npm start', ['.tools/start.ts'], {}],
    ['npm run serve', ['server/main.ts'], { PUBLIC_URL: 'http://127.0.0.1' }],
  ])('leaves nothing when %s is stopped at any moment', async (_, args, environment) => {
    const temporary = join(dataDir, 'tmp')
    const isUp = () =>
      fetch(url('/readyz')).then(
        ({ ok }) => ok,
        () => false,
      )
    // Steps of a start, as they show in the data folder, and times between them.
    const steps = ['lock', 'postgres.new-', 'postmaster.pid', 'disk-reserve']
    const moments = [...steps, ...[400, 3_200, 12_800]]
    for (const [index, moment] of moments.entries()) {
      const folder = join(dataDir, `at-${moment}`)
      await mkdir(temporary, { recursive: true })
      const started = begin(args, { ...environment, DATA_DIR: folder, TMPDIR: temporary })
      if (typeof moment === 'number') await pause(moment)
      else {
        const names = () => readdir(folder, { recursive: true }).catch(() => [] as string[])
        await until(`${moment} in the data folder`, async () => (await names()).some((name) => name.includes(moment)))
      }
      const isLast = await isUp()
      started.child.kill((['SIGINT', 'SIGTERM'] as const)[index % 2])
      await endOf(started)
      expect(processesOf(folder), `${moment}: ${started.output()}`).toEqual([])
      expect(await readdir(temporary), `${moment}`).toEqual([])
      expect((await readdir(folder).catch(() => [])).filter((name) => name.includes('.new-'))).toEqual([])
      await rm(folder, { recursive: true, force: true })
      if (isLast) break
    }
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
    const second = begin(['.tools/start.ts'])
    expect(await endOf(second)).toBe(1)
    expect(second.output()).toContain('Hapax is already running on')
    port = firstPort
    const third = begin(['.tools/start.ts'], { DATA_DIR: join(dataDir, 'other') })
    expect(await endOf(third)).toBe(1)
    expect(third.output()).toContain(`Port ${firstPort} is taken by another program`)
    first.child.kill('SIGINT')
    expect(await endOf(first)).toBe(0)
    const { ino, mtimeMs } = await stat(page)
    if (!isBuilt) await rm(page)
    expect([ino, mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('says which ports do not exist and which setting helps', async () => {
    const refused = begin(['.tools/start.ts'], { PORT: '65534' })
    expect(await endOf(refused)).toBe(1)
    expect(refused.output()).toContain('Port 65536, which the sandbox Etsy needs, does not exist')
    expect(refused.output()).toContain('Set PORT to 65529 or less')
  })
})
