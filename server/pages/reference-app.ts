import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import type Koa from 'koa'
import { html } from '#server/infra/html.ts'

/** Where `npm run build` puts Scalar's API reference. */
const built = fileURLToPath(new URL('../../extension/.output/reference', import.meta.url))

/** Scalar writes style elements at run time. It calls this server only: fonts, proxy and telemetry are off. */
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
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  hideModels: false,
  documentDownloadType: 'json',
}

const start = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})\n`

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Hapax</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body>
<noscript><p>This page needs JavaScript. <a href="/docs/plain">Read the reference without it.</a></p></noscript>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`.text

/** Mounts `/docs`: the reference with search, samples and requests to try; `plain` where it is not built. */
export function mountReferenceApp(router: Router, plain: Koa.Middleware, folder = built): void {
  let bundle: { plain: Buffer; compressed: Buffer } | null = null
  const isBuilt = () => existsSync(`${folder}/scalar.js.br`)
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
  router.get('/docs/scalar.js', (ctx) => {
    if (!isBuilt()) return
    // Four megabytes, so they are read when somebody looks at the reference.
    bundle ??= { plain: readFileSync(`${folder}/scalar.js`), compressed: readFileSync(`${folder}/scalar.js.br`) }
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.set('Vary', 'Accept-Encoding')
    ctx.type = 'text/javascript; charset=utf-8'
    if (ctx.acceptsEncodings('br', 'identity') === 'br') {
      ctx.set('Content-Encoding', 'br')
      ctx.body = bundle.compressed
    } else ctx.body = bundle.plain
  })
}
