import { readFileSync } from 'node:fs'
import type Router from '@koa/router'

/** `npm run lab -- pictures` makes the pictures of the product. */
const files = {
  'hapax.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'no-photo.svg': 'image/svg+xml',
  ...Object.fromEntries(
    ['inventory-light', 'inventory-dark', 'home-phone-light', 'home-phone-dark'].map((name) => [
      `${name}.webp`,
      'image/webp',
    ]),
  ),
}

/** Mounts the static files that the pages share. */
export function mountAssets(router: Router): void {
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(new URL(`./assets/${name}`, import.meta.url))
    router.get(`/assets/${name}`, (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=3600')
      ctx.type = type
      ctx.body = content
    })
  }
}
