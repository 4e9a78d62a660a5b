import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { until } from '#e2e/harness/until.ts'
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

/** Settings that a client asks for at the start of a connection, and poolers do not know. */
const dropped = startupParameters.split(',')

/**
 * Starts a stand-in for a pooler, which goes between the messages that begin a connection (PostgreSQL's protocol, 55.2.1)
 * and passes everything else on. It refuses a client's settings as PgBouncer does, or drops them.
 */
async function startStandIn(settings: 'refused' | 'dropped'): Promise<{ pooled: string; direct: string }> {
  const { hostname, port: serverPort, username, password } = new URL(database.url)
  const name = `pooled_${Math.random().toString(36).slice(2)}`
  await database.db.none(`create database ${name}`)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}))
    client.once('data', (message) => {
      const words = message.subarray(8, -2).toString().split('\0')
      const asked = words.filter((_, index) => index % 2 === 0 && dropped.includes(words[index]!))
      if (settings === 'refused' && asked.length > 0) {
        const reason = `SFATAL\0C08P01\0Munsupported startup parameter: ${asked[0]}\0\0`
        return client.end(Buffer.concat([Buffer.from('E'), int32(reason.length + 4), Buffer.from(reason)]))
      }
      const kept = words.filter((_, index) => !dropped.includes(words[index - (index % 2)]!))
      const begin = Buffer.from(`${kept.join('\0')}\0\0`)
      const upstream = connect(Number(serverPort), hostname)
      sockets.add(upstream.on('error', () => client.destroy()))
      upstream.write(Buffer.concat([int32(begin.length + 8), message.subarray(4, 8), begin]))
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await database.db.none(`drop database ${name} with (force)`)
  })
  const at = (host: string) => `postgres://${username}:${password}@${host}/${name}`
  return { pooled: at(`127.0.0.1:${port}`), direct: at(`${hostname}:${serverPort}`) }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

type Starting = [mode: string, start: () => Promise<{ pooled: string; direct: string }>]

const standIns: Starting[] = [
  ['a pooler that refuses timeouts', () => startStandIn('refused')],
  ['a pooler that drops timeouts', () => startStandIn('dropped')],
]

const ignoring = `ignore_startup_parameters = ${startupParameters}`
const pgBouncers: Starting[] = [
  ['PgBouncer in transaction mode', () => startPgBouncer('pool_mode = transaction')],
  ['PgBouncer in transaction mode without timeouts', () => startPgBouncer(`pool_mode = transaction\n${ignoring}`)],
  ['PgBouncer in session mode without timeouts', () => startPgBouncer(`pool_mode = session\n${ignoring}`)],
]

describe('the address of a connection pooler', () => {
  it.each([...standIns, ...(program ? pgBouncers : [])])(
    'is refused before anything is changed: %s',
    async (_, start) => {
      const { pooled, direct } = await start()
      await expect(migrate(pooled)).rejects.toThrow(
        'DATABASE_URL leads to a connection pooler such as PgBouncer, which Hapax cannot use. Set DATABASE_DIRECT_URL',
      )
      const db = openDatabase({ url: direct, max: 1 })
      onTestFinished(() => closeDatabase(db))
      expect(await db.one('select count(*) from pg_class where relnamespace = $1::regnamespace', ['public'])).toEqual({
        count: 0,
      })
    },
  )
})
