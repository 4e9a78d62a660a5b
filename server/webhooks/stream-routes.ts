import { PassThrough } from 'node:stream'
import type Router from '@koa/router'
import type Koa from 'koa'
import {
  authenticate,
  type CredentialStore,
  type Principal,
  readCredential,
} from '#server/http/credentials/authenticate.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { type Event, streamEvents } from '#shared/contract/events.ts'
import * as sql from './queries.ts'
import { readEvents, readLastSeq } from './read-events.ts'
import { createStreamHub, type StreamHub } from './stream-hub.ts'

interface StreamOptions {
  credentials: CredentialStore
  limits: RateLimits
  /** Interval of the keep-alive comment and of the credential check. */
  beatMs?: number
}

/** Streams per account and process. */
const maxPerAccount = 10
const pageSize = 200

/**
 * Mounts `GET /api/v1/events/stream/`, which sends the account's events as server-sent events, after `Last-Event-ID` or
 * from now on. The response does not end, so it is mounted apart from the contract. It authenticates like every
 * endpoint and checks the credential again while it is open. No event is sent once the credential has ended.
 */
export function mountEventStream(router: Router, services: Services, options: StreamOptions): void {
  const hub = createStreamHub(services)
  services.atStop.signal.addEventListener('abort', () => hub.end())
  services.atStop.add(() => hub.close())
  router.get('streamEvents', streamEvents.path, async (ctx) => {
    ctx.state.operationId = 'streamEvents'
    ctx.set('Cache-Control', 'no-store')
    const principal = await authenticateStream(ctx, options)
    ctx.state.principal = principal
    const newest = await readLastSeq(services.db, principal.user_id)
    // After a database restore the id may be in the future: resume from now instead of staying silent.
    const after = Math.min(readLastEventId(ctx) ?? newest, newest)
    if (hub.isEnding) throw problem('unavailable', undefined, { retryAfterSeconds: 3 })
    // Do not await between here and joining the hub, or simultaneous requests would all pass this check.
    if (hub.countOf(principal.user_id) >= maxPerAccount) {
      throw problem('rate_limited', `At most ${maxPerAccount} streams of an account may be open.`, {
        retryAfterSeconds: 30,
      })
    }
    const output = new PassThrough()
    ctx.type = 'text/event-stream'
    ctx.set('X-Accel-Buffering', 'no')
    ctx.body = output
    // An id without an event: clients that reconnect before the first event resume from here.
    output.write(`retry: 3000\nid: ${after}\n\n`)
    const isAuthenticated = () => authenticateStream(ctx, options).then(() => true)
    const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
    // Not `authenticateStream`, which counts as a request.
    const credentialExists = () =>
      services.db
        .one(sql.credentialHolds({ hash: null, ...credential, user_id: principal.user_id }))
        .then((row) => row.holds)
    const beatMs = options.beatMs ?? 15_000
    run(services, hub, principal.user_id, after, output, { isAuthenticated, credentialExists, beatMs }).catch(
      (error: unknown) => {
        services.log.warn({ err: error }, 'an event stream failed')
        output.destroy()
      },
    )
  })
}

/** Authenticates a request and enforces its rate limits; throws 401, 403, 429. */
async function authenticateStream(ctx: Koa.Context, { credentials, limits }: StreamOptions): Promise<Principal> {
  const credential = readCredential(ctx.req.headers, ctx.req.rawHeaders)
  await limits.limitAddress(ctx, ctx.state.address, streamEvents, credential.kind)
  const principal = await authenticate(streamEvents.auth, credential, credentials, () =>
    limits.countUnknown?.(ctx, ctx.state.address),
  )
  if (!ctx.headerSent) await limits.limitPrincipal(ctx, principal, streamEvents)
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
  /** Returns whether the credential may still read; counts as a request. */
  isAuthenticated: () => Promise<boolean>
  /** Returns whether the credential still exists. */
  credentialExists: () => Promise<boolean>
  beatMs: number
}

/** Writes events until the client leaves, the credential ends or the server stops. */
async function run(
  services: Services,
  hub: StreamHub,
  user_id: number,
  from: number,
  output: PassThrough,
  { isAuthenticated, credentialExists, beatMs }: StreamChecks,
): Promise<void> {
  let after = from
  let mayHaveEnded = false
  let woken: (() => unknown) | null = null
  let hasNews = true
  const wake = (isEnd: boolean) => {
    if (isEnd) mayHaveEnded = true
    hasNews = true
    woken?.()
  }
  const leave = hub.join(user_id, wake)
  output.once('close', () => wake(false))
  let beatenMs = performance.now()
  const untilBeatMs = () => Math.max(0, beatMs - (performance.now() - beatenMs))
  /** Checks the credential at every interval, even with many waiting events or a slow client. */
  const mayContinue = async () => {
    if (untilBeatMs() > 0) return true
    beatenMs = performance.now()
    return isAuthenticated().catch(() => false)
  }
  try {
    while (!output.destroyed && !hub.isEnding) {
      if (hasNews) {
        hasNews = false
        const events = await readEvents(services.db, user_id, after, pageSize)
        // Check after reading the events, so that no event is newer than the end of the credential.
        if (events.length > 0 || mayHaveEnded) {
          mayHaveEnded = false
          if (!(await credentialExists())) return
        }
        for (const event of events) {
          if (output.destroyed || hub.isEnding) return
          // Wait for a slow client, so that unread events stay in the database and not in memory.
          output.write(textOf(event))
          // Check the state each time, because `drain` is emitted only once and may be missed.
          while (output.writableNeedDrain && !hub.isEnding) {
            await drained(output, untilBeatMs(), (stop) => {
              woken = () => (hub.isEnding || mayHaveEnded) && stop()
            })
            woken = null
            if (mayHaveEnded) {
              mayHaveEnded = false
              // Drop events that the client has not read yet.
              if (!(await credentialExists())) return void output.destroy()
            }
            if (!(await mayContinue())) return void output.destroy()
          }
          after = event.seq
        }
        if (events.length === pageSize) hasNews = true
        if (!(await mayContinue())) return
        if (hasNews) continue
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, untilBeatMs())
        woken = () => {
          clearTimeout(timer)
          resolve()
        }
        if (hasNews || output.destroyed || hub.isEnding) woken()
      })
      woken = null
      if (untilBeatMs() > 0) continue
      if (!(await mayContinue())) return
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

/** Waits until the client has read the output or left, the server stops, or the time has passed. */
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
