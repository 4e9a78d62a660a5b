import type { Handlers } from '#server/http/mount.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import type { Services } from '#server/services.ts'
import type { images } from '#shared/contract/catalog/images.ts'
import { imageToWire } from './image-to-wire.ts'
import * as sql from './queries.ts'
import { removeUnusedImages } from './remove-images.ts'
import { storeImage } from './store-image.ts'

/** Handlers of photos. */
export function imagesRoutes(services: Services): Handlers<typeof images> {
  const store = createImageStore(services.config)
  const find = async (user_id: number, uid: string) => {
    const row = await services.db.oneOrNone(sql.findImage({ user_id, uid }))
    if (!row) throw notFound()
    return row
  }
  return {
    createImage: ({ body }, { principal, gone }) => {
      // The server receives bytes; clients may also pass a Blob.
      const bytes = body as Uint8Array
      return storeImage(
        { services, store, user_id: principal.user_id, gone: gone() },
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      )
    },

    getImage: async ({ params }, { principal }) => ({
      status: 200,
      body: imageToWire(await find(principal.user_id, params.id), services.config.PUBLIC_URL),
    }),

    rotateImage: async ({ params, body }, { principal: { user_id }, gone }) => {
      const { uid, rotation } = await find(user_id, params.id)
      const original = await store.get(uid, 'original')
      if (!original) throw notFound()
      return storeImage({ services, store, user_id, gone: gone() }, original, (rotation + body.degrees) % 360)
    },

    deleteImage: async ({ params }, { principal: { user_id } }) => {
      await find(user_id, params.id)
      const removed = await removeUnusedImages(services.db, user_id, [params.id])
      if (removed === 0) throw problem('conflict', 'An item uses this photo. Remove it there first.')
      return { status: 204 }
    },
  }
}
