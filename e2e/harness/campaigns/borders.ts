import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { createQuotas } from '#server/http/quotas/index.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { randomBase62 } from '#shared/identity.ts'

/** A crossing of the border between a worker and the world: a statement, a batch of them, or a call to a marketplace. */
interface Border {
  /** Place in the order of crossings, from 0. */
  number: number
  /** The whole text of the statement with its values, or `call` and its name. */
  what: string
}

/**
 * Called before each crossing. While it waits, the worker is frozen: this crossing and all later ones wait. If it throws,
 * the worker is dead: its connections are cut, and nothing crosses any more.
 */
export type AtBorder = (border: Border) => Promise<void> | void

/** A worker's services whose every effect on the world passes a border of the test's. */
export interface Borders {
  /** For the worker: with a pool and platforms of its own. */
  services: Services
  /** Texts of the crossings that were tried, in order. */
  crossed: string[]
  isDead(): boolean
  /** Runs work until it is done or the worker has died. Throws what a living worker throws. */
  run(work: (services: Services) => Promise<unknown>): Promise<void>
  /** Passes the border with an effect that only this test knows, such as a file. */
  cross(what: string): Promise<void>
  /** Resolves when the database has ended all that the worker sent. */
  close(): Promise<void>
}

interface BorderOptions {
  at?: AtBorder
  /** Creates the platforms over HTTP, so that requests are the crossings. Default: the methods of the given platforms. */
  platforms?: (fetch: Fetch) => Services['platforms']
}

/**
 * Gives a worker services of its own. A worker that ends before a crossing leaves the same world behind as a process
 * that is killed there, so its kill points can be counted.
 */
export function openBorders(given: Services, { at = () => {}, platforms }: BorderOptions = {}): Borders {
  const applicationName = `worker ${randomBase62(10)}`
  const db = openDatabase({ url: given.config.DATABASE_URL!, max: 8, applicationName })
  const sockets = new Set<Socket>()
  const crossed: string[] = []
  let isDead = false
  const death = Promise.withResolvers<void>()
  let gate: Promise<void> = Promise.resolve()

  const pass = async () => {
    await gate.catch(() => {
      isDead = true
      death.resolve()
      for (const socket of sockets) socket.destroy()
    })
    if (isDead) throw connectionLost()
  }
  const cross = (what: string) => {
    if (!isDead) {
      const number = crossed.push(what) - 1
      gate = gate.then(() => at({ number, what }))
    }
    return pass()
  }
  db.$pool.on('connect', (client: Client) => {
    sockets.add(client.connection.stream)
    client.connection.stream.once('close', () => sockets.delete(client.connection.stream))
  })
  interceptStatements(db, async (text, values) => {
    // Notifications are gathered for some milliseconds, so their number and place vary. Any may be lost.
    await (text.startsWith('select pg_notify') ? pass() : cross(`${text} ${JSON.stringify(values)}`))
    return text
  })
  const crossingFetch: Fetch = async (url, init) => {
    await cross(`call ${init?.method ?? 'GET'} ${url}`)
    return given.fetch(url, init)
  }
  const services: Services = {
    ...given,
    db,
    fetch: crossingFetch,
    quotas: createQuotas({ db, config: given.config, now: given.now }),
    platforms:
      platforms?.(crossingFetch) ??
      new Map([...given.platforms].map(([slug, adapter]) => [slug, crossingAdapter(adapter, cross)])),
  }
  return {
    services,
    crossed,
    isDead: () => isDead,
    async run(work) {
      const running = work(services)
      // Nobody hears what a dead worker throws, or waits for it to give up.
      running.catch(() => {})
      await Promise.race([death.promise, running])
    },
    cross,
    async close() {
      await closeDatabase(db)
      // A statement that was under way when the worker died may still end, as one of a killed process does.
      const isOver = async () =>
        (await given.db.any('select from pg_stat_activity where application_name = $1', [applicationName])).length === 0
      while (!(await isOver())) await delay(5)
    },
  }
}

/** Ends a worker at a border. */
export const endAt =
  (border: number): AtBorder =>
  ({ number }) => {
    if (number === border) throw new Error('the worker ends here')
  }

/** Freezes a worker at a border, as a system does that suspends a process, until `wake`. */
export function freezeAt(border: number): { at: AtBorder; isFrozen: Promise<void>; wake: () => void } {
  const frozen = Promise.withResolvers<void>()
  const woken = Promise.withResolvers<void>()
  return {
    async at({ number }) {
      if (number !== border) return
      frozen.resolve()
      await woken.promise
    },
    isFrozen: frozen.promise,
    wake: woken.resolve,
  }
}

/**
 * Plays a story once unhindered and then once for each chosen border, at which `play` cuts its worker. `play` gets
 * the border's number, at first one that is never reached, and returns what reached a border.
 */
export async function atEachBorder(play: (border: number) => Promise<readonly string[]>): Promise<void> {
  const crossings = (await play(Number.POSITIVE_INFINITY)).map((what, number) => ({ what, number }))
  for (const { what, number } of somePoints(crossings)) {
    const place = `border ${number} of ${crossings.length}, before ${what.replace(/\s+/g, ' ').slice(0, 200)}`
    const crossed = await play(number).catch((cause: unknown) => {
      throw new Error(`cut at ${place}`, { cause })
    })
    // Where the machine is slow, timers add crossings, so the last ones may be reached only then.
    if (crossed.length < number * 0.8) throw new Error(`nothing reached ${place}`)
  }
}

/**
 * Ends the transactions of workers as PostgreSQL does when they have idled for long. A statement that was sent just before
 * a worker froze ends first.
 */
export async function endIdleTransactions(db: Database): Promise<void> {
  const endIdle = `select case when state = 'idle in transaction' then pg_terminate_backend(pid) end from pg_stat_activity
    where datname = current_database() and application_name like 'worker %' and xact_start is not null`
  while ((await db.any(endIdle)).length > 0) await delay(5)
}

/** Passes every statement of the pool's connections through `pass`, which may wait, throw or change its text. */
export function interceptStatements(db: Database, pass: (text: string, values: unknown[]) => Promise<string>): void {
  db.$pool.on('connect', (client: Client) => {
    const send = client.query.bind(client)
    client.query = (query, values, callback) => {
      const isText = typeof query === 'string'
      pass(isText ? query : query.text, isText ? [] : (query.values ?? [])).then(
        (text) => send(isText ? text : { ...query, text }, values, callback),
        (error: Error) => callback(error),
      )
    }
  })
}

/** The used part of the driver's connection. */
interface Client {
  connection: { stream: Socket }
  query(query: string | { text: string; values?: unknown[] }, values: unknown, callback: (error: Error) => void): void
}

const connectionLost = () => Object.assign(new Error('The worker has ended.'), { code: 'ECONNRESET' })

/** Methods of the ports that call nobody. */
const local = new Set<PropertyKey>(['authorizeUrl', 'fees'])

/** Returns the adapter with a border before each call, and before what a call does after it has called back. */
function crossingAdapter(adapter: PlatformAdapter, cross: Borders['cross']): PlatformAdapter {
  const crossing = <Port extends object>(port: Port | undefined) =>
    port &&
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function' || local.has(name)) return method
        return async (...given: unknown[]) => {
          await cross(`call ${String(name)}`)
          const callsBack = given.map((each) =>
            typeof each !== 'function'
              ? each
              : async (...values: unknown[]) => {
                  await each(...values)
                  await cross(`call ${String(name)} goes on`)
                },
          )
          return method.apply(target, callsBack)
        }
      },
    })
  const { oauth, imports, listings, orders, shipping, notices } = adapter
  return {
    ...adapter,
    oauth: crossing(oauth)!,
    imports: crossing(imports)!,
    listings: crossing(listings),
    orders: crossing(orders),
    shipping: crossing(shipping),
    notices: crossing(notices),
  }
}
