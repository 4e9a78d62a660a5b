import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import type { ShutdownSteps } from '#server/infra/shutdown-steps.ts'

/** Calls back once the client has the answer or has left, at once if that is so already. */
export function onceAnswered({ res }: Koa.Context, callback: () => void): void {
  if (res.destroyed || res.closed) callback()
  else res.once('close', callback)
}

/** Larger answers are written in slices, so that a slow client can be told from one that takes nothing. */
const wholeBytes = 250_000
const sliceBytes = 64_000

interface WatchedAnswer {
  ctx: Koa.Context
  socket: Socket
  /** Bytes that the kernel has taken from the connection, and when that changed last. */
  taken: number
  sinceMs: number
}

/**
 * Closes the connection of a client that takes nothing of its answer for `stalledMs`. A request that still waits for its
 * handler goes on. Timeouts of Node's sockets do not do: a client that sends on resets them.
 */
export function endStalledAnswers(stalledMs: number, atStop: ShutdownSteps): Koa.Middleware {
  const open = new Set<WatchedAnswer>()
  const checking = setInterval(() => {
    for (const answer of open) if (isStalled(answer, stalledMs)) end(answer)
  }, stalledMs / 4).unref()
  atStop.add(async () => clearInterval(checking))
  return async (ctx, next) => {
    const { socket } = ctx.req
    // Requests inside the process have no connection.
    if (!(socket instanceof Socket)) return next()
    const answer = { ctx, socket, taken: 0, sinceMs: performance.now() }
    open.add(answer)
    // Trace, budget, counts and the stream itself each wait for the end: more than the ten that Node takes for a leak.
    ctx.res.setMaxListeners(30)
    onceAnswered(ctx, () => open.delete(answer))
    await next()
    slice(ctx)
  }
}

function isStalled(answer: WatchedAnswer, stalledMs: number): boolean {
  const { socket, sinceMs } = answer
  const taken = socket.bytesWritten - socket.writableLength
  if (socket.writableLength > 0 && taken === answer.taken) return performance.now() - sinceMs >= stalledMs
  answer.taken = taken
  answer.sinceMs = performance.now()
  return false
}

function end({ ctx, socket }: WatchedAnswer): void {
  ctx.state.log.info({ operation: ctx.state.operationId }, 'an answer was ended: its client takes nothing of it')
  // A plain end would leave the rest in the kernel, until its own timeout.
  socket.resetAndDestroy()
}

function slice(ctx: Koa.Context): void {
  const { body, length = 0 } = ctx
  if (length <= wholeBytes || ctx.method === 'HEAD') return
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  ctx.body = Readable.from(slicesOf(bytes), { objectMode: false })
  ctx.length = bytes.length
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}

/** Counts an answer as open until its client has it. Throws 429 `rate_limited` if too many of the client are open. */
type CountOpen = (ctx: Koa.Context, client: string) => void

/** Bounds the open answers of each client in this process, so that slow readers occupy a bounded part of it. */
export function limitOpenAnswers(most: number): CountOpen {
  const open = new Map<string, number>()
  return (ctx, client) => {
    const count = open.get(client) ?? 0
    if (count >= most) {
      throw problem('rate_limited', `At most ${most} requests may be under way at once.`, { retryAfterSeconds: 5 })
    }
    open.set(client, count + 1)
    onceAnswered(ctx, () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  }
}
