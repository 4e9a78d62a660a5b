import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { createApp } from '#server/app.ts'
import { createReadPhoto, photoTimeoutMs } from '#server/catalog/imports/matching/read-photo.ts'
import { type Config, readConfig } from '#server/config.ts'
import { closeServer, quickClosing } from '#server/http/close-server.ts'
import { releaseCallsOfTheDead } from '#server/http/idempotency/idempotency-database.ts'
import { realLimits } from '#server/http/limits/limit-settings.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { usualTimeouts, withTimeouts } from '#server/http/timeouts.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { sandboxSecretKey } from '#server/infra/crypto/sandbox-secret-key.ts'
import { openHashKey } from '#server/infra/crypto/secret-keys.ts'
import { checkConnections, connectionBudget } from '#server/infra/db/connection-budget.ts'
import { startDiskGuard } from '#server/infra/db/disk-guard.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase, requestTimeouts, type Timeouts, workTimeouts } from '#server/infra/db/index.ts'
import { lockFolder } from '#server/infra/db/lock-folder.ts'
import { migrate, newestMigration } from '#server/infra/db/migrate.ts'
import { retryWhileStarting, type Waiting } from '#server/infra/db/wait-for-database.ts'
import { problem } from '#server/infra/errors.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import { openLogFile } from '#server/infra/log/log-destination.ts'
import { createShutdownSteps } from '#server/infra/shutdown-steps.ts'
import { createPictureFetcher } from '#server/integrations/own-pictures.ts'
import { platformFetch } from '#server/integrations/quota/index.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { jobKinds } from '#server/job-kinds.ts'
import { refuseUnknownHosts, warnOfUnknownHosts } from '#server/operations/check-hosts.ts'
import { checkSettings, describeSettings } from '#server/operations/check-settings.ts'
import { logEvents } from '#server/operations/log-events.ts'
import { checkBudgets } from '#server/operations/status/check-budgets.ts'
import { countPool, processMetrics } from '#server/operations/status/process-metrics.ts'
import { missingBuilds } from '#server/pages/missing-builds.ts'
import { connectionHooks, rooms } from '#server/rooms.ts'
import type { Services } from '#server/services.ts'
import { usualTimes } from '#server/times.ts'
import { startWorkers } from '#server/workers.ts'
import { createInternalServer } from './internal.ts'

export interface RunningHapax {
  config: Config
  services: Services
  /** Sandbox pages worth opening. */
  pages: { name: string; url: string }[]
  /** Resolves when the embedded database ends unexpectedly. The caller must then close the server. */
  failed: Promise<Error>
  close(): Promise<void>
}

interface StartOptions {
  logFile?: string
  /** Called with the reason when the start must wait. */
  onWait?: (reason: string) => void
  /** Called once the data folder and the ports are this process's own. A start that is refused does not come so far. */
  onClaimed?: () => void
  /** Ends the start. It then rejects after everything that it started has ended. */
  signal?: AbortSignal
  /** Timeouts of the pool of requests, by default `requestTimeouts`. */
  requestTimeouts?: Timeouts
  /** Replaces services. */
  services?: Partial<Pick<Services, 'limits' | 'passwords' | 'times'>>
}

/**
 * Shutdown takes at most ten seconds: seven for open requests (closeServer), then these for workers and jobs. Other
 * workers take over unfinished work.
 */
const [workersGraceMs, jobsGraceMs] = [2_000, 1_000]

/** Steps that stop what was started, in the order of the start. */
type Stops = (() => Promise<unknown>)[]

/**
 * Starts what ROLE asks for: database (embedded unless DATABASE_URL), migrations, sandbox, worker, API. If a step
 * fails, stops everything started before. Errors say what to do.
 */
export async function startHapax(
  environment: Record<string, string | undefined>,
  options: StartOptions = {},
): Promise<RunningHapax> {
  const stops: Stops = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    return { ...(await start(environment, options, stops)), close }
  } catch (error) {
    await close()
    throw options.signal?.aborted ? options.signal.reason : error
  }
}

async function start(
  environment: Record<string, string | undefined>,
  options: StartOptions,
  stops: Stops,
): Promise<Omit<RunningHapax, 'close'>> {
  const { signal } = options
  const first = readConfig(environment)
  checkSettings(environment, first)
  await refuseUnknownHosts(first)
  const answers = first.ROLE !== 'worker'
  await claimPlace(first, stops)
  signal?.throwIfAborted()
  options.onClaimed?.()

  const log = await startObserving(first, options.logFile, stops)
  const secretKey = first.SECRET_KEY ?? (await sandboxSecretKey(first))
  const waiting = {
    signal,
    onWait: (reason: string) => {
      log.warn({ reason }, 'the start waits')
      options.onWait?.(reason)
    },
  }

  const { database, url, db, workDb } = await openDatabases(first, log, waiting, stops, options.requestTimeouts)
  const hashKey = await retryWhileStarting(() => openHashKey(workDb, { ...first, SECRET_KEY: secretKey }), waiting)
  signal?.throwIfAborted()

  const sandbox = first.sandbox ? await openSandbox(first, log) : null
  if (sandbox) stops.push(() => sandbox.close())
  // The operator's settings take precedence over the sandbox's.
  const config = { ...readConfig({ ...sandbox?.environment, ...environment, SECRET_KEY: secretKey }), hashKey }

  const isPaused = config.PAUSED === 'on'
  const works = config.ROLE !== 'api' && !isPaused
  const outgoing = isPaused ? refuseWhilePaused : fetch
  const jobs = await openJobs({ url, works, log })
  stops.push(() => jobs.stop(jobsGraceMs))
  signal?.throwIfAborted()
  const services: Services = {
    config,
    db,
    log,
    jobs,
    platforms: createPlatforms({ config, fetch: platformFetch({ config, db: workDb, fetch: outgoing }) }),
    fetch: outgoing,
    passwords: createPasswordHasher(),
    ...(!isPaused && {
      readPhoto: createReadPhoto(
        createPictureFetcher(config, { timeoutMs: photoTimeoutMs }),
        createPictureFetcher(config),
      ),
      fetchPicture: createPictureFetcher(config),
    }),
    limits: realLimits,
    times: usualTimes,
    usage: createUsageRecorder({ db: workDb, log, now: () => new Date() }),
    quotas: createQuotas({ db: workDb, config, now: () => new Date() }),
    audit: createAuditTrail({ db: workDb, log, now: () => new Date(), keptDays: config.AUDIT_DAYS }),
    ...(database && { disk: await startDiskGuard({ directory: first.DATA_DIR, log }) }),
    connectionHooks: connectionHooks(),
    atStop: createShutdownSteps(),
    now: () => new Date(),
    ...options.services,
  }
  const work: Services = { ...services, db: workDb }
  services.atStop.signal.addEventListener('abort', () => jobs.beginStop())
  if (services.disk) stops.push(services.disk.stop)
  services.atStop.add(() => services.usage.flush())
  services.atStop.add(() => services.audit.flush())
  stops.push(() => services.atStop.run())
  await jobs.register(...jobKinds(work))
  signal?.throwIfAborted()
  if (works) {
    const workers = await startWorkers(work)
    services.atStop.add(() => workers.stop(workersGraceMs))
  }
  await startServers(services, answers, waiting, stops)
  stops.push(async () => services.atStop.begin())
  for (const warning of await retryWhileStarting(() => checkBudgets(workDb, config), waiting)) log.warn(warning)
  // The start waits for no name server.
  if (!config.sandbox) {
    void warnOfUnknownHosts(environment, config).then((warnings) => {
      for (const warning of warnings) log.warn(warning)
    })
  }
  if (answers) for (const warning of missingBuilds(config)) log.warn(warning)
  signal?.throwIfAborted()
  if (isPaused) log.warn('paused: nothing is sent, read or ended until a start without PAUSED')
  log.info({ sandbox: config.sandbox, ...describeSettings(config) }, 'started')
  const failed = database?.ended ?? new Promise<never>(() => {})
  failed.then((error) => log.fatal({ err: error }, 'the database is gone'))
  return { config, services, pages: sandbox?.pages ?? [], failed }
}

/**
 * Takes the data folder for this process, and refuses taken ports. A refused start touches nothing of the server that
 * already runs. Ports are released again: a load balancer must not send requests before the server can answer.
 */
async function claimPlace(config: Config, stops: Stops): Promise<void> {
  const keepsFiles = !config.DATABASE_URL || config.sandbox
  if (keepsFiles) await makeFolder(config.DATA_DIR)
  if (!config.DATABASE_URL) {
    const unlock = lockFolder(config.DATA_DIR)
    stops.push(async () => unlock())
  }
  for (const port of portsOf(config)) await refuseTakenPort(port)
}

/** Starts the log, the figures and, if asked for, tracing. */
async function startObserving(config: Config, logFile: string | undefined, stops: Stops): Promise<Logger> {
  const log = createLog(config.LOG_LEVEL, logFile ? openLogFile(logFile) : undefined, config.ROLE)
  // Observe from the start, so that no figure is missing.
  processMetrics()
  const stopLogging = logEvents(log)
  stops.push(async () => stopLogging())
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { startTracing } = await import('#server/operations/tracing.ts')
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, ROLE: role } = config
    const tracing = startTracing({ endpoint, headers, role, log })
    stops.push(() => tracing.stop())
  }
  return log
}

/** Starts the embedded database if there is no other, migrates it, and opens its pools. */
async function openDatabases(
  config: Config,
  log: Logger,
  waiting: Waiting,
  stops: Stops,
  timeouts: Timeouts = requestTimeouts,
) {
  const database = config.DATABASE_URL ? null : await embedded(config, stops, waiting)
  const url = config.DATABASE_URL ?? database!.url
  const setting = config.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const { to } = await migrate(url, { ...waiting, ...(!database && { setting }) })
  if (to > (await newestMigration())) log.warn({ schema: to }, 'the database is of a newer release than this one')
  const onLostConnection = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  // Requests and background work have separate pools with their own timeouts, so neither can exhaust the other's.
  const budget = connectionBudget(config)
  const db = openDatabase({ url, timeouts, max: budget.requests, onLostConnection })
  stops.push(() => closeDatabase(db))
  const workDb = openDatabase({
    url,
    timeouts: workTimeouts,
    max: budget.work,
    applicationName: 'hapax-work',
    onLostConnection,
  })
  stops.push(() => closeDatabase(workDb))
  countPool('requests', db)
  countPool('work', workDb)
  const tooFew = await retryWhileStarting(() => checkConnections(workDb, budget), waiting)
  if (tooFew) log.warn(tooFew)
  return { database, url, db, workDb }
}

async function openSandbox(config: Config, log: Logger) {
  return (await import('#server/sandbox/index.ts')).startSandbox({
    dataDir: join(config.DATA_DIR, 'sandbox'),
    basePort: config.PORT === 0 ? 0 : config.PORT + 1,
    settings: config,
    log,
  })
}

/** Serves requests, and figures on the internal port if there is one. */
async function startServers(services: Services, answers: boolean, waiting: Waiting, stops: Stops): Promise<void> {
  const { config } = services
  if (answers) {
    // Only this server uses the embedded database, so calls of an earlier process have ended.
    if (!config.DATABASE_URL) await retryWhileStarting(() => releaseCallsOfTheDead(services.db), waiting)
    const server = createServer(withTimeouts(usualTimeouts), createApp(services).callback())
    await listen(server, { setting: 'PORT', port: config.PORT, host: config.HOST })
    // Close the HTTP server first, while open requests can still be answered. With an embedded database there is no
    // other server for clients to move to.
    const closing = config.DATABASE_URL ? services.times.closing : quickClosing
    stops.push(() => closeServer(server, closing))
  }
  if (config.INTERNAL_PORT !== undefined) {
    const server = createInternalServer(services)
    await listen(server, { setting: 'INTERNAL_PORT', port: config.INTERNAL_PORT, host: config.INTERNAL_HOST })
    stops.push(() => closeServer(server, quickClosing))
  }
}

/** Stands in for fetch while Hapax is paused, so that no request of a seller reaches a platform, Apple or Stripe. */
async function refuseWhilePaused(): Promise<never> {
  throw problem('unavailable', 'Hapax is paused by its operator.', { retryAfterSeconds: 300 })
}

async function embedded(config: Config, stops: Stops, waiting: Waiting): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase(config.DATA_DIR, { ...waiting, isLocked: true })
  stops.push(() => database.stop())
  return database
}

/** Creates the folder, and refuses one that cannot be written, such as on a read-only file system. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
    await access(path, constants.W_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`DATA_DIR: the folder ${path} cannot be written (${code}). Set DATA_DIR to one that can be.`, {
      cause,
    })
  }
}

interface Port {
  /** The setting that chooses the port. */
  setting: keyof Config
  port: number
  host: string
  /** The sandbox's service that needs it; the server itself without one. */
  user?: string
}

/** Returns the ports that the process opens, in the order of their settings. 0 is any free port. */
function portsOf(config: Config): Port[] {
  const { ROLE, PORT, HOST, INTERNAL_PORT, INTERNAL_HOST } = config
  const sandbox = config.sandbox && PORT !== 0 ? sandboxServices : []
  return [
    ...(ROLE !== 'worker' ? [{ setting: 'PORT', port: PORT, host: HOST } as const] : []),
    ...(INTERNAL_PORT === undefined
      ? []
      : [{ setting: 'INTERNAL_PORT', port: INTERNAL_PORT, host: INTERNAL_HOST } as const]),
    ...rooms.flatMap(({ ports }) => ports?.(config) ?? []),
    ...sandbox.map((user, index) => ({ setting: 'PORT', port: PORT + 1 + index, host: '127.0.0.1', user }) as const),
  ]
}

/** The sandbox's services in the order of their ports, which follow PORT. */
const sandboxServices = ['eBay', 'Etsy', 'Apple', 'Stripe', 'mail', 'sale mail'].map((name) => `the sandbox ${name}`)

async function refuseTakenPort(port: Port): Promise<void> {
  const probe = createServer()
  await listen(probe, port)
  await new Promise((resolve) => probe.close(resolve))
}

/** Listens at the port. Errors name the setting and what helps. */
function listen(server: Server, port: Port): Promise<void> {
  if (port.port > 65_535) return Promise.reject(new Error(portFault(port, 'ERR_SOCKET_BAD_PORT')))
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(new Error(portFault(port, cause.code), { cause })))
    server.listen(port.port, port.host, resolve)
  })
}

function portFault({ setting, port, host, user }: Port, code = 'unknown'): string {
  const what = user ? `Port ${port}, which ${user} needs,` : `Port ${port}`
  const follow = user ? ': the sandbox takes the six ports after it' : ''
  switch (code) {
    case 'EADDRINUSE':
      return `${what} is taken by another program. Stop it, or set ${setting} to another${follow}.`
    case 'EACCES':
      return `${what} may not be opened by this user (EACCES). Set ${setting} to 1024 or more${follow}, and let a proxy answer at 80 and 443.`
    case 'ERR_SOCKET_BAD_PORT':
      return `${what} does not exist: the highest is 65535. Set ${setting} to ${65_535 - sandboxServices.length} or less${follow}.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return user
        ? `${what} cannot be opened: this machine has no address ${host} (${code}). The sandbox needs IPv4 on the loopback interface.`
        : `${what} cannot be opened: this machine has no address ${host} (${code}). Set ${setting === 'INTERNAL_PORT' ? 'INTERNAL_HOST' : 'HOST'} to one that it has.`
    default:
      return `${what} cannot be opened at ${host} (${code}). Set ${setting} to another${follow}.`
  }
}

/** Run as a program: the production entry, logging to standard output. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const stopping = new AbortController()
  let askedMs = 0
  const stop = () => {
    // Asked once more: what still runs is ended by force.
    if (stopping.signal.aborted && performance.now() - askedMs > 1_000) process.exit(1)
    askedMs = performance.now()
    stopping.abort(new Error('it was asked to stop.'))
  }
  // Before anything is started, so that a stop at any moment ends what there is. The parent passes signals on: without
  // it nobody could stop this process any more.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
  try {
    const hapax = await startHapax(process.env, { signal: stopping.signal })
    let code = 0
    void hapax.failed.then(() => {
      code = 1
      stopping.abort()
    })
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    await hapax.close().catch(() => (code = 1))
    process.exit(code)
  } catch (error) {
    if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0)
    process.stderr.write(`Hapax could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
