import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { onceAnswered } from '../answers/answers.ts'

/** The bytes of one request's body in memory. */
interface HeldBody {
  /** Counts the body as `bytes` long so far. Throws 503 `unavailable` if that exceeds the budget. */
  grow(bytes: number): void
  release(): void
}

/** Limits the request bodies held by the process, in total and per client. */
interface BodyBudget {
  open(client: string): HeldBody
}

/** Members of a request's state: the budget, and the request's share. */
export interface BodyState {
  bodyBudget?: BodyBudget
  heldBody?: HeldBody
}

/** Bodies up to this size are counted but always accepted, so that large ones cannot block sign-ins. */
const smallBytes = 16_000
/** The largest share of one client. */
const clientShare = 1 / 4
const retryAfterSeconds = 5

export function createBodyBudget(totalBytes: number): BodyBudget {
  let inAll = 0
  const ofClients = new Map<string, number>()
  return {
    open(client) {
      let own = 0
      const add = (bytes: number) => {
        own += bytes
        inAll += bytes
        const left = (ofClients.get(client) ?? 0) + bytes
        if (left > 0) ofClients.set(client, left)
        else ofClients.delete(client)
      }
      return {
        grow(bytes) {
          const more = bytes - own
          if (more <= 0) return
          const isRoom = inAll + more <= totalBytes && (ofClients.get(client) ?? 0) + more <= totalBytes * clientShare
          if (bytes > smallBytes && !isRoom) {
            throw problem('unavailable', 'Too many large requests are under way. Send it again in a few seconds.', {
              retryAfterSeconds,
            })
          }
          add(more)
        },
        release: () => add(-own),
      }
    },
  }
}

/**
 * Holds a request's body in the budget until it is handled and its client has the answer, since a streamed answer may be
 * made from it. `readBody` opens it.
 */
export function boundBodies(budget: BodyBudget): Koa.Middleware {
  return async (ctx, next) => {
    const state: BodyState = ctx.state
    state.bodyBudget = budget
    try {
      await next()
    } finally {
      const { heldBody } = state
      if (heldBody) onceAnswered(ctx, () => heldBody.release())
    }
  }
}
