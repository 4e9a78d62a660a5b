import cors from '@koa/cors'
import type Koa from 'koa'

/**
 * Lets browser apps of the given origins call the API with an API key or bearer token. Never with cookies: the web app's
 * header is not among the allowed ones, and credentials are not allowed.
 */
export function allowOrigins(origins: readonly string[]): Koa.Middleware {
  const allowed = new Set(origins)
  const answer = cors({
    origin: (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'X-API-Key',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Last-Event-ID',
    ],
    exposeHeaders: [
      'ETag',
      'Location',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'X-Request-Id',
      'Idempotency-Replayed',
    ],
    maxAge: 3_600,
    keepHeadersOnError: false,
  })
  return (ctx, next) => (ctx.path.startsWith('/api/') ? answer(ctx, next) : next())
}
