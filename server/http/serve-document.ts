import { createHash } from 'node:crypto'
import type Koa from 'koa'

/** Serves a constant text with an ETag; unchanged copies get 304. */
export function serveDocument(type: string, text: string): Koa.Middleware {
  const body = Buffer.from(text)
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.etag = etag
    ctx.type = type
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = body
  }
}
