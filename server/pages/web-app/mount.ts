import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import type Koa from 'koa'
import type { Config } from '#server/config.ts'
import { pictureSources } from '#server/http/security-headers.ts'
import { problem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { contact } from '../contact.ts'
import { sendPage } from '../layout.ts'
import { appHeader, clearAppCookie } from './credential.ts'

/** Where `npm run build` puts the web app. */
const built = fileURLToPath(new URL('../../../extension/.output/web', import.meta.url))

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

const policyOf = (sandbox: boolean) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${pictureSources(sandbox)} data: blob:`,
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
  /** Null if the build has no compressed form of it, as of pictures. */
  compressed: Buffer | null
}

/** Mounts `/app/`: the inventory and the popup's screens as a web app, on the session of a cookie. */
export function mountWebApp(router: Router, { config }: Services, folder = built): void {
  let { ino, assets } = noBuild
  router.get('/app', (ctx) => {
    ctx.redirect('/app/')
    ctx.status = 308
  })
  // The service worker answers this (extension/app/web/public/sw.js). Without it the server must not keep what comes here.
  router.post('/app/share', (ctx) => {
    ctx.redirect('/app/#drafts/lost')
    ctx.status = 303
  })
  router.post('/app/sign-out', (ctx) => {
    if (ctx.get(appHeader) !== '1') throw problem('wrong_credential_kind', 'Only the web app signs out here.')
    clearAppCookie(ctx, config.PUBLIC_URL)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = null
    ctx.status = 204
  })
  router.get('/app/{*path}', async (ctx) => {
    const name = String(ctx.params.path ?? '') || 'index.html'
    // `npm start` builds the app while the server runs. An earlier build serves until then.
    if (name === 'index.html' || assets.size === 0) {
      const found = await stat(folder).catch(nothingThere)
      if (found && found.ino !== ino) {
        const read = await readAssets(folder)
        if (read.assets.has('index.html')) ({ ino, assets } = read)
      }
    }
    const asset = assets.get(name)
    if (asset) {
      ctx.set('Content-Security-Policy', policyOf(config.sandbox))
      sendAsset(ctx, name, asset)
    } else if (assets.size > 0) throw problem('not_found')
    else sendNotBuilt(ctx, config)
  })
}

function sendAsset(ctx: Koa.Context, name: string, { type, body, compressed }: Asset): void {
  ctx.set('Vary', 'Accept-Encoding')
  // Names below assets/ contain a hash of the content, so these files never change.
  ctx.set('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  ctx.type = type
  if (compressed && ctx.acceptsEncodings('br', 'identity') === 'br') {
    ctx.set('Content-Encoding', 'br')
    ctx.body = compressed
  } else ctx.body = body
}

/**
 * Sellers see this page, so it says nothing of builds: the log and `/readyz` tell the operator. In the sandbox the app comes
 * seconds after the server, so the page waits for it.
 */
function sendNotBuilt(ctx: Koa.Context, config: Config): void {
  ctx.set('Retry-After', '60')
  if (config.sandbox) ctx.set('Refresh', '3')
  const title = config.sandbox ? 'Hapax is still starting' : 'The app is not available yet'
  sendPage(ctx, {
    title,
    status: 503,
    body: html`<h1>${title}</h1>
<p>${config.sandbox ? 'The app opens here in a few seconds.' : html`The server is running and nothing is lost. Try again in a few minutes.${contact(config)}`}</p>
<p><a class="button" href="/app/">Try again</a></p>`,
  })
}

interface Build {
  /** Of its folder: each build is another one. */
  ino: number
  /** Its files by name. */
  assets: Map<string, Asset>
}

const noBuild: Build = { ino: 0, assets: new Map() }

/**
 * Reads the built files with their compressed forms. They are few and small, so they stay in memory. Returns none while a
 * build puts others into their place.
 */
async function readAssets(folder: string): Promise<Build> {
  const assets = new Map<string, Asset>()
  try {
    const { ino } = await stat(folder)
    const names = await readdir(folder, { recursive: true })
    for (const name of names) {
      const type = types[extname(name)]
      if (!type) continue
      const path = join(folder, name)
      const compressed = names.includes(`${name}.br`) ? await readFile(`${path}.br`) : null
      assets.set(name.replaceAll('\\', '/'), { type, body: await readFile(path), compressed })
    }
    return (await stat(folder)).ino === ino ? { ino, assets } : noBuild
  } catch (error) {
    return nothingThere(error) ?? noBuild
  }
}

/** Passes on any other error than that a file is not there. */
function nothingThere(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
