import { PlatformError } from '#server/integrations/errors.ts'
import type { ContentField, ListingContent, ShopAccess } from '#server/integrations/port.ts'
import { maxPictures } from './findings.ts'
import { descriptionOf } from './listing-body.ts'
import { etsyTitle } from './listing-text.ts'
import { fetchUsablePicture, type PublishTools } from './publish.ts'
import type { StoredImage } from './selling-wire.ts'

type Tools = Pick<PublishTools, 'listings' | 'fetchPicture'>

/** Changes the named content of a live listing. The text goes first, because Etsy may refuse it. */
export async function updateContent(
  tools: Tools,
  access: ShopAccess,
  listingId: string,
  content: ListingContent & { fields: readonly ContentField[] },
): Promise<void> {
  const { fields } = content
  if (fields.includes('images') && content.images.length === 0) {
    throw new PlatformError('etsy', 'refused', 'Etsy needs a picture.', { platformCode: 'missing_picture' })
  }
  const text = {
    ...(fields.includes('title') ? { title: etsyTitle(content.title) } : {}),
    ...(fields.includes('description') ? { description: descriptionOf(content) } : {}),
  }
  if (Object.keys(text).length > 0) await tools.listings.update(access, listingId, 'the new text', text)
  if (fields.includes('images')) await replaceImages(tools, access, listingId, content.images.slice(0, maxPictures))
}

/**
 * Replaces the images of a listing. Images that Etsy itself serves stay; others are uploaded. One call then sets the
 * new order and drops the rest, so the listing always has images.
 */
async function replaceImages(
  { listings, fetchPicture }: Tools,
  access: ShopAccess,
  listingId: string,
  addresses: string[],
): Promise<void> {
  const there = await listings.readImages(access, listingId)
  const { kept, unneeded } = matchImages(there, addresses)
  const wanted: string[] = []
  let count = there.length
  for (const [index, address] of addresses.entries()) {
    const stays = kept.get(index)
    if (stays) {
      wanted.push(stays.listing_image_id)
      continue
    }
    const picture = await fetchUsablePicture(fetchPicture, address, index + 1, access)
    // An upload takes the place of an unneeded image, because a full listing has no room.
    const rank = unneeded.shift()?.rank ?? ++count
    const { listing_image_id } = await listings.uploadImage(access, listingId, { ...picture, rank })
    wanted.push(listing_image_id)
  }
  if (wanted.join() === there.map(({ listing_image_id }) => listing_image_id).join()) return
  // One comma-separated value. Of a repeated name, Etsy would read only the last.
  await listings.update(access, listingId, 'the order of the pictures', { image_ids: wanted.join(',') })
}

/** Returns the images to keep, by their place among the addresses, and the others. */
function matchImages(there: StoredImage[], addresses: string[]) {
  const unneeded = [...there]
  const kept = new Map<number, StoredImage>()
  for (const [index, address] of addresses.entries()) {
    const place = unneeded.findIndex(({ url_fullxfull }) => url_fullxfull === address)
    const [same] = place === -1 ? [] : unneeded.splice(place, 1)
    if (same) kept.set(index, same)
  }
  return { kept, unneeded }
}
