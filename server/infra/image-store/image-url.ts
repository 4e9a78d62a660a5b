import { Id } from '#shared/identity.ts'
import type { ImageFile } from './image-store.ts'

/** The sizes that anybody who knows the address may fetch. */
export type ImageSize = Exclude<ImageFile, 'original'>
export const imageSizes: readonly ImageSize[] = ['200', '800', '2000']

/** The size that items name, and that marketplaces receive. */
export const largestSize: ImageSize = '2000'

const ImageId = Id('img')

/** Returns the public address of a stored image. */
export const imageUrl = (publicUrl: string, uid: string, size: ImageSize = largestSize) =>
  `${publicUrl}/images/${uid}/${size}`

/** Returns the image of an address of ours, null for any other address. */
export function readImageUrl(publicUrl: string, url: string): { uid: string; size: ImageSize } | null {
  const prefix = `${publicUrl}/images/`
  if (!url.startsWith(prefix)) return null
  return readImagePath(url.slice(prefix.length).split('/'))
}

/** Returns the image of the last two segments of a path, null if they name none. */
export function readImagePath(segments: readonly (string | undefined)[]): { uid: string; size: ImageSize } | null {
  const [uid, size, ...more] = segments
  const known = imageSizes.find((one) => one === size)
  return known && more.length === 0 && ImageId.safeParse(uid).success ? { uid: uid!, size: known } : null
}
