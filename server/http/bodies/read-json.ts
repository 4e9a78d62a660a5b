import { setTimeout as delay } from 'node:timers/promises'
import type Koa from 'koa'
import { problem, type Refusal } from '#server/infra/errors.ts'
import { createFairLimit } from '#server/infra/fair-limit.ts'
import { createOwnThread } from '#server/infra/own-thread.ts'
import { type WayInName, waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { JsonTask } from './json-worker.ts'
import { type JsonBounds, parseJson } from './parse-json.ts'
import { readBody, senderOf } from './read-body.ts'

interface JsonBody {
  value: unknown
  bytes: number
}

/** Ways in by which JSON of clients comes. */
export type JsonWay = { [Way in WayInName]: (typeof waysIn)[Way] extends JsonBounds ? Way : never }[WayInName]

/** Smaller bodies take a few ms of the main thread, and no turns. */
const smallBytes = 64_000
const { all } = waysIn.json.atOnce
/** Large bodies are read one at a time, and after what its account or network has used lately. */
const inTurn = createFairLimit({ width: all, costlyWidth: all })
const inspect = createOwnThread<JsonTask, Refusal | null>({
  worker: new URL('./json-worker.ts', import.meta.url),
  ...{ timeoutMs: waysIn.json.giveUpMs, threads: all, maxWaiting: all, heapMb: 256 },
  ...{ isLowPriority: false, idleMs: 30_000 },
})

/**
 * Returns a reader of JSON bodies with the bounds of `parseJson`. Large bodies take turns by account, and are inspected
 * on a thread of their own. Throws `invalid_json`, `invalid_request`, and the errors of `readBody`.
 */
export function jsonReader(way: JsonWay): (ctx: Koa.Context) => Promise<JsonBody> {
  const { depth, parts } = waysIn[way]
  return async (ctx) => {
    const body = await readBody(ctx, way)
    const bytes = body.length
    if (bytes <= smallBytes) return { value: parseJson(body, { depth, parts }), bytes }
    return inTurn(
      senderOf(ctx.state),
      false,
      async () => {
        const refusal = await inspect({ body, depth, parts })
        if (refusal) throw problem(refusal.code, refusal.detail, refusal)
        // A value costs more to hand over than to parse again. The main thread is left to others for as long as it took.
        const startedMs = performance.now()
        const value: unknown = JSON.parse(new TextDecoder().decode(body))
        await delay(performance.now() - startedMs)
        return { value, bytes }
      },
      { expectedMs: bytes / 1e5 },
    )
  }
}
