import { PassThrough } from 'node:stream'
import type Router from '@koa/router'
import type Koa from 'koa'
import { authenticate, type CredentialStore, type Principal, readCredential } from '#server/http/authenticate.ts'
import type { RateLimits } from '#server/http/rate-limit.ts'
import { sql } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { type Event, streamEvents } from '#shared/contract/events.ts'
import { readEvents, readLastSeq } from './read-events.ts'
import { createStreamHub, type StreamHub } from './stream-hub.ts'

export interface StreamOptions {
  credentials: CredentialStore
  limits: RateLimits
  /** How often a silent stream says that it is alive, and whether its credential still holds. */
  beatMs?: number
}

const credentialHolds = sql(import.meta.url, './sql/credential-holds.sql')

/** Streams of one account in one process. */
const most = 10
const pageSize = 200

/**
 * Mounts `GET /api/v1/events/stream/`: the account's events as server-sent events, from the one after `Last-Event-ID` on,
 * else from now. Its answer has no end, so that it is mounted apart from the contract; who may read is asked in the same
 * way, and again while it lasts: a credential that has ended ends its streams at once, and nothing that happens after is sent.
 */
export function mountEventStream(router: Router, services: Services, options: StreamOptions): void {
  const hub = createStreamHub(services)
  services.atStop.signal.addEventListener('abort', () => hub.end())
  services.atStop.add(() => hub.close())
  router.get('streamEvents', streamEvents.path, async (ctx) => {
    ctx.state.operationId = 'streamEvents'
    ctx.set('Cache-Control', 'no-store')
    const principal = await enter(ctx, options)
    ctx.state.principal = principal
    const newest = await readLastSeq(services.db, principal.user_id)
    // Not after what is not there yet, as where a database was restored: that reader would hear nothing for long.
    const after = Math.min(readLastEventId(ctx) ?? newest, newest)
    if (hub.isEnding) throw problem('unavailable', undefined, { retryAfterSeconds: 3 })
    // Nothing is waited for from here until it is counted: those that come at once would all find room.
    if (hub.countOf(principal.user_id) >= most) {
      throw problem('rate_limited', `At most ${most} streams of an account may be open.`, { retryAfterSeconds: 30 })
    }
    const output = new PassThrough()
    ctx.type = 'text/event-stream'
    ctx.set('X-Accel-Buffering', 'no')
    ctx.body = output
    // The number alone is no event, but what a reader names who comes back before the first one.
    output.write(`retry: 3000\nid: ${after}\n\n`)
    const stillMay = () => enter(ctx, options).then(() => true)
    const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
    // Not asked by `enter`, which counts as a request each time.
    const holds = () =>
      services.db
        .one<{ holds: boolean }>(credentialHolds, { hash: null, ...credential, user_id: principal.user_id })
        .then((row) => row.holds)
    const beatMs = options.beatMs ?? 15_000
    run(services, hub, principal.user_id, after, output, { stillMay, holds, beatMs }).catch((error: unknown) => {
      services.log.warn({ err: error }, 'a stream of events broke off')
      output.destroy()
    })
  })
}

/** Who is calling, as every endpoint asks it; throws 401, 403, 429. */
async function enter(ctx: Koa.Context, { credentials, limits }: StreamOptions): Promise<Principal> {
  const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
  await limits.admitAddress(ctx, ctx.state.address, streamEvents, credential.kind)
  const principal = await authenticate(streamEvents.auth, credential, credentials, () =>
    limits.countUnknown?.(ctx, ctx.state.address),
  )
  if (!ctx.headerSent) await limits.admitPrincipal(ctx, principal, streamEvents)
  return principal
}

function readLastEventId(ctx: Koa.Context): number | null {
  const query = new URLSearchParams(ctx.querystring)
  for (const name of query.keys()) {
    if (name !== 'last_event_id') throw invalidField(name, 'unknown_member', 'is not a parameter of this request')
  }
  const given = ctx.get('last-event-id') || query.get('last_event_id')
  if (!given) return null
  if (!/^\d{1,15}$/.test(given)) throw invalidField('last_event_id', 'invalid_value', 'must be the id of an event')
  return Number(given)
}

interface StreamChecks {
  /** Whether the credential may still read; counts as a request. */
  stillMay: () => Promise<boolean>
  /** Whether the credential is still there. */
  holds: () => Promise<boolean>
  beatMs: number
}

/** Writes events as they come until the reader goes away, the credential ends or the server stops. */
async function run(
  services: Services,
  hub: StreamHub,
  user_id: number,
  from: number,
  output: PassThrough,
  { stillMay, holds, beatMs }: StreamChecks,
): Promise<void> {
  let after = from
  let mayHaveEnded = false
  let woken: (() => unknown) | null = null
  let isNews = true
  const wake = (isEnd: boolean) => {
    if (isEnd) mayHaveEnded = true
    isNews = true
    woken?.()
  }
  const leave = hub.join(user_id, wake)
  output.once('close', () => wake(false))
  let beatenMs = performance.now()
  const untilBeatMs = () => Math.max(0, beatMs - (performance.now() - beatenMs))
  /** Asked whenever it is time, however much there is to tell and however slowly it is read. */
  const mayGoOn = async () => {
    if (untilBeatMs() > 0) return true
    beatenMs = performance.now()
    return stillMay().catch(() => false)
  }
  try {
    while (!output.destroyed && !hub.isEnding) {
      if (isNews) {
        isNews = false
        const events = await readEvents(services.db, user_id, after, pageSize)
        // Asked after the events are read: what happens once the credential has ended is then never among them.
        if (events.length > 0 || mayHaveEnded) {
          mayHaveEnded = false
          if (!(await holds())) return
        }
        for (const event of events) {
          if (output.destroyed || hub.isEnding) return
          // A reader that is slow is waited for: what it has not read stays in the database, not here.
          output.write(textOf(event))
          // Asked of the stream itself: it may be read while something else is waited for, and tells so once only.
          while (output.writableNeedDrain && !hub.isEnding) {
            await drained(output, untilBeatMs(), (stop) => {
              woken = () => (hub.isEnding || mayHaveEnded) && stop()
            })
            woken = null
            if (mayHaveEnded) {
              mayHaveEnded = false
              // Events that the reader has not taken yet are dropped.
              if (!(await holds())) return void output.destroy()
            }
            if (!(await mayGoOn())) return void output.destroy()
          }
          after = event.seq
        }
        if (events.length === pageSize) isNews = true
        if (!(await mayGoOn())) return
        if (isNews) continue
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilBeatMs())
        woken = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isNews || output.destroyed || hub.isEnding) woken()
      })
      woken = null
      if (untilBeatMs() > 0) continue
      if (!(await mayGoOn())) return
      output.write(': still here\n\n')
    }
  } finally {
    leave()
    output.end()
  }
}

function textOf(event: Event): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Waits until the reader has taken what was written, is gone, the server stops, or the time is over. */
function drained(output: PassThrough, milliseconds: number, onWait: (stop: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      output.off('drain', end)
      output.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    output.on('drain', end)
    output.on('close', end)
    onWait(end)
  })
}
