import type { Sharp } from 'sharp'
import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import { type FetchPicture, type Picture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { ShopAccess } from '#server/integrations/port.ts'

/** Longest side of a converted picture. Etsy shows no more. */
const maxSide = 3_000

const accepted = ['image/jpeg', 'image/png', 'image/gif'] as const
type AcceptedType = (typeof accepted)[number]

/**
 * Fetches a picture in a format that Etsy accepts: JPEG, PNG and GIF unchanged, others (WebP, AVIF, HEIC) as JPEG.
 * Throws PictureError if it cannot be fetched or converted.
 */
export async function fetchEtsyPicture(
  fetchPicture: FetchPicture,
  address: string,
  access: ShopAccess,
): Promise<{ bytes: Buffer; type: AcceptedType }> {
  const picture = await fetchPicture(address, access.signal)
  const asIs = accepted.find((type) => type === picture.type)
  return asIs ? { ...picture, type: asIs } : { bytes: await toJpeg(picture, access), type: 'image/jpeg' }
}

async function toJpeg({ bytes, type }: Picture, { shop, signal }: ShopAccess): Promise<Buffer> {
  const write = (picture: Sharp) =>
    picture.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 92 }).toBuffer()
  try {
    return (await decodePicture(bytes, `etsy ${shop.external_id}`, write, signal)).result
  } catch (cause) {
    signal?.throwIfAborted()
    const format = type.replace('image/', '').toUpperCase()
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    throw new PictureError(`It cannot be converted from ${format}: save it as JPEG.`, isLate, { cause })
  }
}
