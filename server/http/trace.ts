import type Koa from 'koa'
import type { Logger } from 'pino'
import { isDatabaseUnavailable } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { scrub } from '#server/infra/log/log.ts'
import { createSeldom } from '#server/infra/log/log-seldom.ts'
import { publish } from '#server/infra/observed.ts'
import { currentSpan, inSpan, readTraceparent, type Span } from '#server/infra/span.ts'
import { newId } from '#shared/identity.ts'
import { problemBody, translateError } from './answers/translate-error.ts'
import { clientAddress } from './client-address.ts'
import type { Principal } from './credentials/authenticate.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/**
 * The outermost middleware: assigns the request its id and address, logs one line, records the usage of an authenticated
 * caller, unless that of the requests it was made of is recorded, and turns errors into problem+json.
 * Logs the path without its query, which may contain secrets. The request is a span in the trace of its `traceparent`.
 */
export function trace(
  { log, usage }: { log: Logger; usage: Pick<UsageRecorder, 'note'> },
  trustedHops: number,
  publicUrl: string,
): Koa.Middleware {
  // The members of a request line are fixed and not secret, and redaction would cost a sixth of a request. The path is
  // scrubbed below.
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
  async function answer(ctx: Koa.Context, next: Koa.Next, span: Span): Promise<void> {
    const startedMs = performance.now()
    const requestId = newId('req')
    const state: RequestState = {
      // Made where something is logged, since it costs a request more than its line.
      get log() {
        return log.child({ request_id: requestId })
      },
      requestId,
      address: clientAddress(ctx.req, trustedHops),
    }
    ctx.state = state
    ctx.res.setHeader('X-Request-Id', requestId)
    try {
      await next()
      // No route matched.
      if (ctx.status === 404 && ctx.body == null) throw notFound()
    } catch (error) {
      answerError(ctx, error, { state, seldom, publicUrl })
    } finally {
      if (state.principal && !state.countedInside) usage.note(state.principal, ctx.status)
      const durationMs = performance.now() - startedMs
      publish('request', {
        method: ctx.method,
        operation: ctx.state.operationId ?? 'other',
        status: ctx.status,
        seconds: durationMs / 1_000,
      })
      span.name = ctx.state.operationId ?? 'other'
      span.isFailed = ctx.status >= 500
      span.attributes = {
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        'hapax.request_id': requestId,
      }
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
          duration_ms: Math.round(durationMs * 10) / 10,
        },
        'request',
      )
    }
  }
  return (ctx, next) => {
    warnOfProxy(ctx)
    const parent = readTraceparent(ctx.req.headers.traceparent) ?? currentSpan()
    return inSpan({ kind: 'server', name: 'other', parent }, (span) => answer(ctx, next, span))
  }
}

/** The state of a request. */
interface RequestState {
  log: Logger
  requestId: string
  address: string
  operationId?: string
  principal?: Principal | null
  /** The requests that this one was made of are counted. */
  countedInside?: boolean
  /** The code of the error response. */
  code?: string
  publicUrl?: string
  actsFor?: number
  answered?: unknown
}

function answerError(
  ctx: Koa.Context,
  error: unknown,
  { state, seldom, publicUrl }: { state: RequestState; seldom: ReturnType<typeof createSeldom>; publicUrl: string },
): void {
  const answer = translateError(error)
  // A refusal of our own has no cause, and a flood causes hundreds of them. The line of the request is enough.
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
  ctx.body = JSON.stringify(problemBody(answer, state.requestId, publicUrl))
}
