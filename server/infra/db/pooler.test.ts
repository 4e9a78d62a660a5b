import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { freePorts } from '#server/testing/free-ports.ts'
import { until } from '#server/testing/until.ts'
import { closeDatabase, openDatabase } from './index.ts'
import { migrate } from './migrate.ts'

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0)
const startupParameters = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
})
afterAll(() => database?.drop())

/** Starts PgBouncer in front of the run's PostgreSQL. Returns the address of an empty database through it, and directly. */
async function startPgBouncer(settings: string): Promise<{ pooled: string; direct: string }> {
  const { hostname, port: serverPort, username, password } = new URL(database.url)
  const name = `pooled_${Math.random().toString(36).slice(2)}`
  await database.db.none(`create database ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'hapax-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePorts(1)
  const file = join(folder, 'pgbouncer.ini')
  const server = `host=${hostname} port=${serverPort} user=${username} password='${decodeURIComponent(password)}'`
  await writeFile(
    file,
    `[databases]\n* = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\n${settings}\n`,
  )
  // PgBouncer refuses to run as root.
  const child: ChildProcess = spawn(program ?? '', [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file], {
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
    await database.db.none(`drop database ${name} with (force)`)
  })
  await until(() => accepts(port))
  const at = (host: string) => `postgres://${username}:${password}@${host}/${name}`
  return { pooled: at(`127.0.0.1:${port}`), direct: at(`${hostname}:${serverPort}`) }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

describe.skipIf(!program)(`PgBouncer${program ? '' : ' (skipped: it is not installed)'}`, () => {
  it.each([
    ['transaction mode', 'pool_mode = transaction'],
    ['transaction mode without timeouts', `pool_mode = transaction\nignore_startup_parameters = ${startupParameters}`],
    ['session mode without timeouts', `pool_mode = session\nignore_startup_parameters = ${startupParameters}`],
  ])('is refused in %s before anything is changed', async (_mode, settings) => {
    const { pooled, direct } = await startPgBouncer(settings)
    await expect(migrate(pooled)).rejects.toThrow(
      'DATABASE_URL leads to a connection pooler such as PgBouncer, which Hapax cannot use. Set DATABASE_DIRECT_URL',
    )
    const db = openDatabase({ url: direct, max: 1 })
    onTestFinished(() => closeDatabase(db))
    expect(await db.one('select count(*) from pg_class where relnamespace = $1::regnamespace', ['public'])).toEqual({
      count: 0,
    })
  })
})
