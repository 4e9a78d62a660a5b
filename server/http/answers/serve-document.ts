import { createHash } from 'node:crypto'
import type Koa from 'koa'

/** Serves a constant document, built at the first request, with an ETag. Unchanged copies get 304. */
export function serveDocument(type: string, build: () => object): Koa.Middleware {
  let built: { body: Buffer; etag: string } | undefined
  return (ctx) => {
    built ??= withEtag(build())
    const { body, etag } = built
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.etag = etag
    ctx.type = type
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = body
  }
}

function withEtag(document: object): { body: Buffer; etag: string } {
  const body = Buffer.from(JSON.stringify(document))
  return { body, etag: createHash('sha256').update(body).digest('base64url').slice(0, 22) }
}
