import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomBase62 } from '#shared/identity.ts'
import { closeDatabase, openDatabase, workTimeouts } from './index.ts'
import { lockFolder } from './lock-folder.ts'
import { findDataFolder, findPostgresUser, findPrograms, type PostgresUser } from './postgres-programs.ts'
import { patientTimeouts, retryWhileStarting, type Waiting } from './wait-for-database.ts'

export interface EmbeddedDatabase {
  url: string
  /** Returns the URL of another database of the same server. */
  urlOf(name: string): string
  /** Shuts it down cleanly; resolves at once if it has ended. */
  stop(): Promise<void>
  /** Resolves if it ends without being stopped: killed, or out of memory or disk. */
  ended: Promise<Error>
}

interface EmbeddedOptions extends Waiting {
  /** Faster, but not crash-safe. */
  throwaway?: boolean
  /** Name of the database; `hapax` by default. */
  database?: string
  /** The caller holds the lock of the folder (`lockFolder`). */
  isLocked?: boolean
  /** Where root keeps programs and data that the user postgres could not reach. */
  shared?: string
}

/** How long an earlier PostgreSQL may take for a clean shutdown, and then for an immediate one, in ms. */
const [cleanStopMs, immediateStopMs] = [120_000, 30_000]

/**
 * Starts a real PostgreSQL in `directory`, created at the first start and kept. First stops one that a killed server
 * left behind; its data stays. Waits as long as PostgreSQL recovers. Throws if another process uses the folder, or as soon
 * as `signal` aborts, and then leaves no process behind.
 */
export async function startEmbeddedDatabase(
  directory: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  await mkdir(directory, { recursive: true })
  const unlock = options.isLocked ? () => {} : lockFolder(directory)
  try {
    const database = await startLocked(directory, options)
    return { ...database, stop: () => database.stop().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startLocked(directory: string, options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { signal, onWait = () => {} } = options
  const user = await findPostgresUser()
  // As root, PostgreSQL runs as the user postgres, who needs access to the folder.
  if (user) await chmod(directory, 0o755)
  const programs = await findPrograms(user, options.shared)
  const dataDirectory = await findDataFolder(directory, user, options.shared)
  const password = await keptPassword(join(directory, 'postgres-password'))
  await stopLeftBehind(dataDirectory, { signal, onWait })
  await refuseElsewhere(dataDirectory, password)
  await forgetStranger(dataDirectory)
  signal?.throwIfAborted()

  if (!existsSync(join(dataDirectory, 'PG_VERSION'))) {
    await createCluster(programs.initdb, { dataDirectory, password, user, signal })
  }
  const name = options.database ?? 'hapax'
  const start = { ...options, postgres: programs.postgres, dataDirectory, user }
  const server = await startServer(start)
  const stopNow = () => void server.stop()
  signal?.addEventListener('abort', stopNow, { once: true })
  const urlOf = (database: string) => `postgres://hapax:${password}@127.0.0.1:${server.port}/${database}`
  try {
    await createDatabase(urlOf('postgres'), name, { signal, onWait })
    signal?.throwIfAborted()
  } catch (error) {
    await server.stop()
    throw signal?.aborted ? signal.reason : withoutLoopback(error)
  } finally {
    signal?.removeEventListener('abort', stopNow)
  }
  return { url: urlOf(name), urlOf, stop: server.stop, ended: server.ended }
}

interface ClusterOptions {
  dataDirectory: string
  password: string
  user: PostgresUser
  signal?: AbortSignal
}

/**
 * Creates the data folder beside its place and moves it there when complete. A folder left by a killed start would look
 * valid and never start. The password's file is in the same private folder, which goes whatever happens.
 */
async function createCluster(initdb: string, { dataDirectory, password, user, signal }: ClusterOptions): Promise<void> {
  const prefix = `${basename(dataDirectory)}.new-`
  const parent = dirname(dataDirectory)
  const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  for (const left of await readdir(parent)) if (left.startsWith(prefix)) await remove(join(parent, left))
  const folder = join(parent, `${prefix}${process.pid}`)
  const [made, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
  try {
    await mkdir(folder, { mode: 0o700 })
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
    const flags = [
      '--username=hapax',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--lc-messages=C',
      '--data-checksums',
    ]
    const args = [`--pgdata=${made}`, `--pwfile=${passwordFile}`, ...flags]
    signal?.throwIfAborted()
    const child = spawn(initdb, args, { ...processOptions(parent, user), detached: canDetach })
    const { output } = readOutput(child)
    const end = () => void endGroup(child)
    const endAtOnce = () => killGroup(child)
    signal?.addEventListener('abort', end, { once: true })
    process.once('exit', endAtOnce)
    const [code, killedBy] = await exitOf(child).finally(() => {
      signal?.removeEventListener('abort', end)
      process.off('exit', endAtOnce)
    })
    signal?.throwIfAborted()
    if (code !== 0) throw failure(`could not create its data in ${dataDirectory} (${killedBy ?? code})`, output)
    await rename(made, dataDirectory)
  } finally {
    await remove(folder)
  }
}

interface RunningServer {
  port: number
  stop(): Promise<void>
  ended: Promise<Error>
}

interface ServerOptions extends EmbeddedOptions {
  postgres: string
  dataDirectory: string
  user: PostgresUser
}

/** Starts the server on a free port, again while processes of a killed one hold the data. */
async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataDirectory, onWait = () => {}, signal } = options
  const endMs = performance.now() + cleanStopMs
  for (let attempt = 0; ; attempt++) {
    const { server, output } = await tryServer(options)
    if (server) return server
    const isHeld = /is still in use|still running/.test(output.join(''))
    if (!isHeld || performance.now() > endMs) throw failure(`did not start in ${dataDirectory}`, output)
    if (attempt === 0) onWait('the processes of a killed PostgreSQL end')
    await delay(500, undefined, { signal })
  }
}

async function tryServer({
  postgres,
  dataDirectory,
  user,
  throwaway,
  onWait = () => {},
  signal,
}: ServerOptions): Promise<{
  server: RunningServer | null
  output: string[]
}> {
  const port = await freePort()
  const settings = [
    // The folder may have been made under a locale that is gone, and messages are read here.
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'lc_messages=C'],
    // The last lines of the server reach the log, and details, contexts and statements can quote a row.
    ...['log_error_verbosity=terse', 'log_min_error_statement=panic'],
    ...(throwaway ? ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'] : []),
  ]
  const args = ['-D', dataDirectory, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  // In a group of its own, a Ctrl-C does not reach it before the server has stopped. Those of tests end with the test run.
  const child = spawn(postgres, args, {
    ...processOptions(dirname(dataDirectory), user),
    detached: canDetach && !throwaway,
  })
  const { output, said } = readOutput(child)
  // Every end of this process but a kill ends the server, too. Its next start recovers.
  const endAtOnce = () => endProcess(child, 'SIGQUIT')
  process.once('exit', endAtOnce)
  const exited = exitOf(child).finally(() => process.off('exit', endAtOnce))
  let isStopping = false
  const ended = new Promise<Error>((resolve) => {
    exited.then(
      ([code, killedBy]) => {
        if (!isStopping) resolve(failure(`ended by itself (${killedBy ?? code})`, output.slice(-5)))
      },
      (error: Error) => resolve(error),
    )
  })
  const stop = async () => {
    isStopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    // SIGINT is a fast shutdown, SIGQUIT an immediate one: the next start then recovers.
    endProcess(child, 'SIGINT')
    const late = setTimeout(() => endProcess(child, 'SIGQUIT'), cleanStopMs)
    await exited.finally(() => clearTimeout(late))
  }
  const slow = setTimeout(() => {
    onWait(
      /not properly shut down|was interrupted|redo starts/.test(output.join(''))
        ? 'PostgreSQL recovers from a crash'
        : 'PostgreSQL starts',
    )
  }, 3_000)
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>()
  signal?.addEventListener('abort', () => abort(), { once: true })
  if (signal?.aborted) abort()
  const isReady = await Promise.race([
    said('database system is ready to accept connections').then(() => true),
    exited.then(() => false),
    aborted.then(() => false),
  ]).finally(() => clearTimeout(slow))
  if (signal?.aborted) {
    await stop()
    signal.throwIfAborted()
  }
  return { server: isReady ? { port, stop, ended } : null, output }
}

async function createDatabase(url: string, name: string, waiting: Waiting): Promise<void> {
  const db = openDatabase({ url, max: 1, timeouts: patientTimeouts })
  try {
    await retryWhileStarting(async () => {
      const known = await db.oneOrNone('select from pg_database where datname = $1', [name])
      if (!known) await db.none('create database $1:name', [name])
    }, waiting)
  } finally {
    await closeDatabase(db)
  }
}

const isWindows = process.platform === 'win32'
/** A group of its own can be ended as a whole; on Windows it would get a window of its own. */
const canDetach = !isWindows

function processOptions(cwd: string, user: PostgresUser) {
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
  return { ...user, cwd, stdio }
}

/** Keeps the last messages of a process, and tells when it says something. */
function readOutput(child: ChildProcess) {
  const output: string[] = []
  const awaited: { text: string; resolve: () => void }[] = []
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.push(chunk)
    if (output.length > 50) output.shift()
    for (const { text, resolve } of awaited) if (output.slice(-2).join('').includes(text)) resolve()
  })
  const said = (text: string) => new Promise<void>((resolve) => awaited.push({ text, resolve }))
  return { output, said }
}

/** Resolves with the exit code and signal once the process has ended; rejects if it cannot be run. */
async function exitOf(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  const closed = (await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
    const hint = cause.code === 'EACCES' ? ' Its file system may forbid programs (the mount option noexec).' : ''
    throw new Error(`${child.spawnfile} cannot be run (${cause.code}).${hint}`, { cause })
  })) as [number | null, string | null]
  return closed
}

/** Ends a process as the signal asks; on Windows, where signals only kill, with its children. */
function endProcess(child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/f', '/t'])
  else child.kill(signal)
}

/** Ends a process that leads a group, with its children: by force if it does not end when asked. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (isWindows) return endProcess(child, 'SIGINT')
  if (!child.pid) return
  process.kill(-child.pid, 'SIGTERM')
  const late = setTimeout(() => killGroup(child), 10_000)
  await once(child, 'close').finally(() => clearTimeout(late))
}

function killGroup(child: ChildProcess): void {
  if (isWindows) endProcess(child, 'SIGINT')
  else if (child.pid) process.kill(-child.pid, 'SIGKILL')
}

/** Makes an error that names the cause first, then everything that PostgreSQL said. */
function failure(what: string, output: string[]): Error {
  const text = output.join('')
  return new Error(`The embedded PostgreSQL ${what}: ${causeIn(text)}\n${text}`.trim())
}

function causeIn(text: string): string {
  if (/No space left on device/.test(text)) {
    return 'the disk is full. A first start needs 115 MB for DATA_DIR: 48 MB of data and a reserve of 64 MB.'
  }
  if (/could not bind IPv4 address/.test(text)) return noLoopback
  return /(?:FATAL|PANIC|error): +(.*)/.exec(text)?.[1] ?? 'it said nothing about the cause.'
}

/** Names the cause where the address is missing or cannot be reached; returns other errors as they are. */
function withoutLoopback(error: unknown): unknown {
  const isMissing = /^(EADDRNOTAVAIL|ENETUNREACH)$/.test((error as NodeJS.ErrnoException).code ?? '')
  return isMissing ? new Error(`The embedded PostgreSQL cannot start: ${noLoopback}`, { cause: error }) : error
}

const noLoopback =
  'this machine has no address 127.0.0.1. Set up the loopback interface with IPv4, or set DATABASE_URL.'

/** Returns the URL of the embedded database running on `directory`; null if none runs. For the operator's commands. */
export async function findEmbeddedDatabase(directory: string): Promise<string | null> {
  const file = join(directory, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return null
  // Line 1 is the process, line 4 the port.
  const lines = (await readFile(file, 'utf8')).split('\n')
  if (!(await isPostgresOf(Number(lines[0]), join(directory, 'postgres')))) return null
  const password = (await readFile(join(directory, 'postgres-password'), 'utf8')).trim()
  return `postgres://hapax:${password}@127.0.0.1:${Number(lines[3])}/hapax`
}

async function keptPassword(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const password = randomBase62(32)
  await writeFile(file, password, { mode: 0o600 })
  return password
}

/**
 * Stops a PostgreSQL that still holds the data folder, by its pid: with a clean fast shutdown, and where that takes too
 * long with an immediate one, after which the next start recovers.
 */
async function stopLeftBehind(dataDirectory: string, { onWait = () => {}, signal }: Waiting): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = await pidIn(file)
  if (!(pid > 1) || !(await isPostgresOf(pid, dataDirectory))) return
  for (const [how, longestMs] of [
    ['SIGINT', cleanStopMs],
    ['SIGQUIT', immediateStopMs],
  ] as const) {
    process.kill(pid, how)
    const beginMs = performance.now()
    for (let isTold = false; performance.now() < beginMs + longestMs; ) {
      if (!existsSync(file) || !(await isPostgresOf(pid, dataDirectory))) return
      if (!isTold && performance.now() > beginMs + 1_000) {
        onWait(`the PostgreSQL of an earlier start (process ${pid}) stops`)
        isTold = true
      }
      await delay(50, undefined, { signal })
    }
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

/** Removes the pid file of a killed PostgreSQL whose pid another program has by now: PostgreSQL would refuse to start. */
async function forgetStranger(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = await pidIn(file)
  if (pid > 1 && isAlive(pid) && !(await isPostgresOf(pid, dataDirectory))) await rm(file)
}

/** Returns whether a living process has this pid and, as far as the system tells, is PostgreSQL on this data folder. */
async function isPostgresOf(pid: number, dataDirectory: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (!command.some((part) => /postgres/.test(part))) return false
  const folders = [dataDirectory, await realpath(dataDirectory)]
  // A server works in its data folder, which may have been moved since. Another user's process may hide it.
  const working = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folders.some((folder) => folder === working || command.includes(folder))
}

const pidIn = async (file: string) => Number((await readFile(file, 'utf8')).split('\n')[0])

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(withoutLoopback(error)))
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
