import { PlatformError } from '#server/integrations/errors.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'

/** Fewest pixels of a picture's longer side. */
const leastSide = 500
/** Pictures that are fetched at once. */
const atOnce = 4

/**
 * Refuses pictures that eBay would refuse at the end of publishing, because they are too small. A picture that cannot be
 * read here may still be read by eBay, so it passes. Throws PlatformError `refused` with the code `picture`.
 */
export async function refuseSmallPictures(
  fetchPicture: FetchPicture,
  addresses: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let start = 0; start < addresses.length; start += atOnce) {
    const sizes = await Promise.all(
      addresses.slice(start, start + atOnce).map((address) => sizeOf(fetchPicture, address, signal)),
    )
    for (const [index, size] of sizes.entries()) {
      if (size === null || Math.max(size.width, size.height) >= leastSide) continue
      const message = `Photo ${start + index + 1} has ${size.width} × ${size.height} pixels. eBay takes photos whose longer side has at least ${leastSide} pixels.`
      throw new PlatformError('ebay', 'refused', message, { platformCode: 'picture' })
    }
  }
}

/** Reads a picture's size from its header; null if it cannot be fetched or read. */
async function sizeOf(
  fetchPicture: FetchPicture,
  address: string,
  signal: AbortSignal | undefined,
): Promise<{ width: number; height: number } | null> {
  const picture = await fetchPicture(address, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (error instanceof PictureError) return null
    throw error
  })
  if (!picture) return null
  const { default: sharp } = await import('sharp')
  // sharp refuses what is no picture, and eBay says so itself.
  return sharp(picture.bytes)
    .metadata()
    .catch(() => null)
}
