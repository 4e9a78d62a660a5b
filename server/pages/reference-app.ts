import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import type Koa from 'koa'
import { html } from '#server/infra/html.ts'

/** Where `npm run build` puts Swagger UI. */
const built = fileURLToPath(new URL('../../extension/.output/reference', import.meta.url))

/** Swagger UI writes styles at run time. It calls this server only: no validator of others reads the document. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const configuration = {
  dom_id: '#reference',
  url: '/api/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
}

const start = `SwaggerUIBundle(${JSON.stringify(configuration)})\n`

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Hapax</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<noscript><p>This page needs JavaScript. <a href="/docs/plain">Read the reference without it.</a></p></noscript>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`.text

/** Mounts `/docs`: the reference with samples and requests to try; `plain` where it is not built. */
export function mountReferenceApp(router: Router, plain: Koa.Middleware, folder = built): void {
  const files = { 'swagger-ui-bundle.js': 'text/javascript', 'swagger-ui.css': 'text/css' }
  const isBuilt = () => existsSync(`${folder}/swagger-ui.css.br`)
  router.get('/docs', (ctx, next) => {
    if (!isBuilt()) return plain(ctx, next)
    ctx.set('Content-Security-Policy', policy)
    ctx.set('Cache-Control', 'no-cache')
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = page
    return undefined
  })
  router.get('/docs/plain', plain)
  router.get('/docs/start.js', (ctx) => {
    ctx.set('Cache-Control', 'no-cache')
    ctx.type = 'text/javascript; charset=utf-8'
    ctx.body = start
  })
  for (const [name, type] of Object.entries(files)) {
    router.get(`/docs/${name}`, async (ctx) => {
      if (!isBuilt()) return
      const isCompressed = ctx.acceptsEncodings('br', 'identity') === 'br'
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.set('Vary', 'Accept-Encoding')
      if (isCompressed) ctx.set('Content-Encoding', 'br')
      ctx.type = `${type}; charset=utf-8`
      ctx.body = await readFile(`${folder}/${name}${isCompressed ? '.br' : ''}`)
    })
  }
}
