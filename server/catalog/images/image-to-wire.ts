import type { RowOf } from '#server/infra/db/statement.ts'
import { imageSizes, imageUrl } from '#server/infra/image-store/image-url.ts'
import type { Image } from '#shared/contract/catalog/images.ts'
import type * as sql from './queries.ts'

/** A row of image, as requests read it. */
type ImageRow = RowOf<typeof sql.findOriginal>

/** Returns an image as the API shows it. */
export function imageToWire(row: ImageRow, publicUrl: string): Image {
  const { uid, type, width, height, created_at } = row
  return {
    ...{ id: uid, url: imageUrl(publicUrl, uid), type, width, height, bytes: Number(row.bytes), created_at },
    sizes: imageSizes.map((size) => ({ size: Number(size), url: imageUrl(publicUrl, uid, size) })),
  }
}
