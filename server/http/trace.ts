import type Koa from 'koa'
import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { scrub } from '#server/infra/log/log.ts'
import { createSeldom } from '#server/infra/log/log-seldom.ts'
import { newId } from '#shared/identity.ts'
import type { Principal } from './authenticate.ts'
import { clientAddress } from './client-address.ts'
import { problemBody, translateError } from './translate-error.ts'

/**
 * The outermost middleware: gives the request its id and address, logs its one line, and turns whatever was thrown
 * into a problem+json answer. The path is logged without its query, which could carry what does not belong in a log.
 */
export function trace(log: Logger, trustedHops: number): Koa.Middleware {
  // The line of a request has fixed members, none of them secret: looking for secret names in each costs a sixth of
  // what a request costs. Its path is scrubbed here.
  const lines = log.child({}, { redact: [] })
  const seldom = createSeldom()
  let isWarned = false
  function warnOfProxy(ctx: Koa.Context) {
    if (trustedHops > 0 || isWarned || ctx.req.headers['x-forwarded-for'] === undefined) return
    isWarned = true
    log.warn(
      { peer: ctx.req.socket.remoteAddress },
      'X-Forwarded-For is ignored, so all clients behind this peer share one limit: set TRUSTED_HOPS to the number of proxies in front of Hapax (1 for one), if the peer is yours',
    )
  }
  return async (ctx, next) => {
    warnOfProxy(ctx)
    const startedMs = performance.now()
    const requestId = newId('req')
    const state = new RequestState(log, requestId, clientAddress(ctx.req, trustedHops))
    ctx.state = state
    ctx.res.setHeader('X-Request-Id', requestId)
    try {
      await next()
      // Nothing was mounted at this path.
      if (ctx.status === 404 && ctx.body == null) throw notFound()
    } catch (error) {
      answerError(ctx, error, state, seldom)
    } finally {
      lines.info(
        {
          request_id: requestId,
          method: ctx.method,
          path: scrub(ctx.path),
          operation: ctx.state.operationId,
          status: ctx.status,
          code: state.code,
          user_id: state.principal?.user_id,
          key_id: state.principal?.kind === 'api_key' ? state.principal.key_id : undefined,
          address: state.address,
          duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
        },
        'request',
      )
    }
  }
}

/** The state that a request carries along. Its log is made when it is first used: that costs 13 µs, a quarter of a request. */
class RequestState {
  readonly requestId: string
  readonly address: string
  operationId?: string
  principal?: Principal | null
  /** Of the error that was answered. */
  code?: string
  publicUrl?: string
  actsFor?: number
  answered?: unknown
  readonly #log: Logger
  #requestLog: Logger | null = null

  constructor(log: Logger, requestId: string, address: string) {
    this.#log = log
    this.requestId = requestId
    this.address = address
  }

  get log(): Logger {
    this.#requestLog ??= this.#log.child({ request_id: this.requestId })
    return this.#requestLog
  }
}

function answerError(
  ctx: Koa.Context,
  error: unknown,
  state: RequestState,
  seldom: ReturnType<typeof createSeldom>,
): void {
  const answer = translateError(error)
  // A refusal of our own has no cause. The line of its request is enough, since a flood brings hundreds of them.
  const reason = answer.cause
  if (answer.status >= 500 && reason !== undefined) {
    const fault = { err: reason, operation: ctx.state.operationId }
    if (isDatabaseUnavailable(reason)) {
      seldom((skipped) => state.log.error({ ...fault, skipped }, 'request failed: the database cannot answer'))
    } else state.log.error(fault, 'request failed')
  }
  state.code = answer.code
  ctx.status = answer.status
  ctx.set(answer.headers)
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'application/problem+json'
  ctx.body = JSON.stringify(problemBody(answer, state.requestId))
}
