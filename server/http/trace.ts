import type Koa from 'koa'
import type { Logger } from 'pino'
import { newId } from '#shared/identity.ts'
import { clientAddress } from './client-address.ts'
import { notFound } from './errors.ts'
import { problemBody, translateError } from './translate-error.ts'

/**
 * The outermost middleware: gives the request its id and address, logs its one line, and turns whatever was thrown
 * into a problem+json answer. The path is logged without its query, which could carry what does not belong in a log.
 */
export function trace(log: Logger, trustedHops: number): Koa.Middleware {
  return async (ctx, next) => {
    const startedMs = performance.now()
    const requestId = newId('req')
    const requestLog = log.child({ request_id: requestId })
    ctx.state.requestId = requestId
    ctx.state.log = requestLog
    ctx.state.address = clientAddress(ctx.req, trustedHops)
    ctx.set('X-Request-Id', requestId)
    try {
      await next()
      // Nothing was mounted at this path.
      if (ctx.status === 404 && ctx.body == null) throw notFound()
    } catch (error) {
      answerError(ctx, error, requestId, requestLog)
    } finally {
      requestLog.info(
        {
          method: ctx.method,
          path: ctx.path,
          operation: ctx.state.operationId,
          status: ctx.status,
          duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
        },
        'request',
      )
    }
  }
}

function answerError(ctx: Koa.Context, error: unknown, requestId: string, log: Logger): void {
  const answer = translateError(error)
  if (answer.status >= 500)
    log.error({ err: answer.cause ?? error, operation: ctx.state.operationId }, 'request failed')
  ctx.status = answer.status
  ctx.set(answer.headers)
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'application/problem+json'
  ctx.body = JSON.stringify(problemBody(answer, requestId))
}
