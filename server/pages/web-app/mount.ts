import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type Router from '@koa/router'
import type Koa from 'koa'
import type { Config } from '#server/config.ts'
import { problem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { contact } from '../contact.ts'
import { sendPage } from '../layout.ts'
import { appHeader, clearAppCookie } from './credential.ts'

/** Where `npm run build:web` puts the web app. */
const built = fileURLToPath(new URL('../../../extension/.output/web', import.meta.url))

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

interface Asset {
  type: string
  body: Buffer
  compressed: Buffer
}

/** Mounts `/app/`: the inventory and the popup's screens as a web app, on the session of a cookie. */
export function mountWebApp(router: Router, { config }: Services, folder = built): void {
  let assets = new Map<string, Asset>()
  router.get('/app', (ctx) => {
    ctx.redirect('/app/')
    ctx.status = 308
  })
  router.post('/app/sign-out', (ctx) => {
    if (ctx.get(appHeader) !== '1') throw problem('wrong_credential_kind', 'Only the web app signs out here.')
    clearAppCookie(ctx, config.PUBLIC_URL)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = null
    ctx.status = 204
  })
  router.get('/app/{*path}', (ctx) => {
    const name = String(ctx.params.path ?? '') || 'index.html'
    // `npm start` builds the app while the server starts.
    if (assets.size === 0) assets = readAssets(folder)
    const asset = assets.get(name)
    if (asset) sendAsset(ctx, name, asset)
    else if (assets.size > 0) throw problem('not_found')
    else sendNotBuilt(ctx, config)
  })
}

function sendAsset(ctx: Koa.Context, name: string, { type, body, compressed }: Asset): void {
  ctx.set('Content-Security-Policy', policy)
  ctx.set('Vary', 'Accept-Encoding')
  // Names below assets/ contain a hash of the content, so these files never change.
  ctx.set('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  ctx.type = type
  if (ctx.acceptsEncodings('br', 'identity') === 'br') {
    ctx.set('Content-Encoding', 'br')
    ctx.body = compressed
  } else ctx.body = body
}

/** Sellers see this page, so it says nothing of builds: the log and `/readyz` tell the operator. */
function sendNotBuilt(ctx: Koa.Context, config: Config): void {
  ctx.set('Retry-After', '60')
  sendPage(ctx, {
    title: 'The app is not available yet',
    status: 503,
    body: html`<h1>The app is not available yet</h1>
<p>The server is running and nothing is lost. Try again in a few minutes.${contact(config)}</p>
<p><a class="button" href="/app/">Try again</a> <a class="button plain" href="/connect/">Account and shops</a></p>`,
  })
}

/** Reads the built files. They are few and small, so they stay in memory with their compressed form. */
function readAssets(folder: string): Map<string, Asset> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names.flatMap((name) => {
      const type = types[extname(name)]
      if (!type) return []
      const body = readFileSync(join(folder, name))
      return [[name.replaceAll('\\', '/'), { type, body, compressed: brotliCompressSync(body) }] as const]
    }),
  )
}
