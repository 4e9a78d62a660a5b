import type { Config } from '#server/config.ts'
import { readImageUrl } from '#server/infra/image-store/image-url.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { createFetchPicture, type FetchPicture, PictureError } from './fetch-picture.ts'

/** Creates the fetcher of all pictures: this server's own, and those at public addresses or on the platforms' hosts. */
export function createPictureFetcher(config: Config, options: { timeoutMs?: number } = {}): FetchPicture {
  // The sandbox platforms serve pictures from this machine.
  const platformOrigins = [config.EBAY_API_URL, config.ETSY_API_URL].map((url) => new URL(url).origin)
  return withOwnPictures(config, createFetchPicture({ ...options, platformOrigins }))
}

/**
 * Reads photos of this server from its storage, and fetches all others. The server never requests its own address, which
 * may be private.
 */
export function withOwnPictures(config: Config, fetchPicture: FetchPicture): FetchPicture {
  const store = createImageStore(config)
  return async (address, signal) => {
    const image = readImageUrl(config.PUBLIC_URL, address)
    if (!image) return fetchPicture(address, signal)
    const bytes = await store.get(image.uid, image.size).catch((cause: unknown) => {
      throw new PictureError('The photo storage cannot be reached.', true, { cause })
    })
    if (!bytes) throw new PictureError('The photo does not exist any more.', false)
    return { bytes, type: 'image/jpeg' }
  }
}
