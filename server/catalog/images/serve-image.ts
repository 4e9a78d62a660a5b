import type Router from '@koa/router'
import { notFound } from '#server/infra/errors.ts'
import { readImagePath } from '#server/infra/image-store/image-url.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/**
 * Mounts `/images/{id}/{size}`: a size of a photo for anybody who knows the address, as marketplaces need. An address
 * never changes what it shows, so copies are kept for a year. A photo is streamed, so a slow reader holds little of it.
 */
export function mountImages(router: Router, { config, db }: Services): void {
  const store = createImageStore(config)
  router.get('/images/:id/:size', async (ctx) => {
    const image = readImagePath([ctx.params.id, ctx.params.size])
    if (!image || !(await db.oneOrNone(sql.findServed({ uid: image.uid })))) throw notFound()
    ctx.etag = `${image.uid}-${image.size}`
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else {
      const file = await store.open(image.uid, image.size)
      if (!file) throw notFound()
      ctx.type = 'image/jpeg'
      ctx.body = file.stream
      if (file.bytes !== null) ctx.length = file.bytes
    }
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    // Screens of the extension and pages of marketplaces show it, too.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  })
}
