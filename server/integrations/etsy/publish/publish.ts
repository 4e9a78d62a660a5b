import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { BeforeSend, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { unescapeHtml } from '../text.ts'
import { currentEra, neighbouringEras } from './era.ts'
import { fetchEtsyPicture } from './etsy-picture.ts'
import { maxPictures } from './findings.ts'
import {
  descriptionOf,
  detailsOf,
  draftForm,
  draftMarkOf,
  inventoryOf,
  type ListingOptions,
  requireOptions,
} from './listing-body.ts'
import { etsyTitle } from './listing-text.ts'
import type { OwnListingsApi } from './own-listings.ts'
import { propertyForms } from './properties.ts'
import type { OwnListing, TaxonomyProperty } from './selling-wire.ts'

export interface PublishTools {
  listings: OwnListingsApi
  fetchPicture: FetchPicture
  /** Returns the properties that a category requires. */
  readProperties: (taxonomyId: string) => Promise<TaxonomyProperty[]>
  /** The current year, which the values of `when_made` depend on. */
  year: number
}

/**
 * Publishes an item and returns its listing. The draft's id is saved before buyers can see it. A repeated call
 * continues with the same draft, so only one listing goes live.
 */
export async function publishItem(
  tools: PublishTools,
  access: ShopAccess,
  request: PublishRequest,
  beforeSend: BeforeSend,
): Promise<OwnListing> {
  const { listings, year, readProperties } = tools
  const chosen = requireOptions(request)
  const options = { ...chosen, when_made: currentEra(chosen.when_made, year) }
  const properties = propertyForms(await readProperties(options.taxonomy_id), request.options)

  const started = await findStarted(listings, access, request)
  // In a first attempt, an active listing may be a stale read from before a withdrawal.
  if (started?.state === 'active' && request.repeated) return started
  const draft = started ?? (await createDraft())
  await beforeSend('draft-made', draft.listing_id)
  await uploadImages(tools, access, request, { listing: draft, isNew: started === null }, beforeSend)
  await beforeSend('inventory')
  await listings.writeInventory(access, draft.listing_id, 'the inventory', inventoryOf(request, options))
  for (const { id, name, form } of properties) {
    await beforeSend(`property-${id}`)
    await listings.updateProperty(access, draft.listing_id, { id, name, form })
  }
  await beforeSend('activate')
  return activate()

  async function createDraft(): Promise<OwnListing> {
    const created = await withEra(options, year, async () => {
      await beforeSend('draft')
      return listings.createDraft(access, draftForm(request, options))
    })
    // Etsy interprets the price in the shop's currency.
    const currency = created.price?.currency_code
    if (currency === undefined || currency === request.currency) return created
    await listings.removeDraft(access, created.listing_id)
    throw wrongCurrency(request.currency, currency)
  }

  function activate(): Promise<OwnListing> {
    return withEra(options, year, () =>
      listings.update(
        access,
        draft.listing_id,
        'the publication',
        { ...detailsOf(request, options), description: descriptionOf(request), state: 'active' },
        draft,
      ),
    )
  }
}

/**
 * Returns the draft or ended listing of an earlier attempt; null for none. A listing goes live only after its id is
 * saved, so a search without an id looks for drafts only.
 */
async function findStarted(
  listings: OwnListingsApi,
  access: ShopAccess,
  request: PublishRequest,
): Promise<OwnListing | null> {
  const made = request.made ? await readMade(listings, access, request, request.made) : null
  // Etsy answers 200 to the activation of an expired listing, but the listing stays expired.
  if (made && made.state !== 'expired') return made
  if (!request.repeated) return null
  const mark = draftMarkOf(request.externalKey)
  return listings.findNewest(access, 'draft', ({ description }) => unescapeHtml(String(description)).includes(mark))
}

/** Reads a listing by its saved id. A new listing may not be readable yet, so a write checks its existence. */
async function readMade(
  listings: OwnListingsApi,
  access: ShopAccess,
  request: PublishRequest,
  id: string,
): Promise<OwnListing | null> {
  const shown = await listings.readIfShown(access, id)
  if (shown) return shown
  try {
    return await listings.update(access, id, 'the title', { title: etsyTitle(request.title) }, null)
  } catch (error) {
    if (isFailure(error, 'not_found')) return null
    throw error
  }
}

/** Uploads the missing images in order. */
async function uploadImages(
  { listings, fetchPicture }: PublishTools,
  access: ShopAccess,
  request: PublishRequest,
  { listing, isNew }: { listing: OwnListing; isNew: boolean },
  beforeSend: BeforeSend,
): Promise<void> {
  const uploaded = isNew ? 0 : (await listings.readImages(access, listing.listing_id)).length
  // A listing that was live keeps its images, because the seller may have reordered them.
  if (listing.state !== 'draft' && uploaded > 0) return
  const addresses = request.images.slice(0, maxPictures)
  for (const [index, address] of addresses.entries()) {
    if (index < uploaded) continue
    const rank = index + 1
    const picture = await fetchUsablePicture(fetchPicture, address, rank, access)
    await beforeSend(`image-${rank}`)
    await listings.uploadImage(access, listing.listing_id, { ...picture, rank })
  }
}

/** Fetches the picture of a rank. Throws PlatformError if Etsy cannot use it. */
export function fetchUsablePicture(fetchPicture: FetchPicture, address: string, rank: number, access: ShopAccess) {
  return fetchEtsyPicture(fetchPicture, address, access).catch((error: unknown) => {
    throw error instanceof PictureError ? unusablePicture(rank, error) : error
  })
}

function unusablePicture(rank: number, cause: PictureError): PlatformError {
  const message = `Picture ${rank} cannot be used on Etsy: ${cause.message}`
  return new PlatformError('etsy', cause.passes ? 'unavailable' : 'refused', message, {
    platformCode: 'picture',
    cause,
  })
}

/**
 * Sends a write. If Etsy refuses its `when_made`, sends it again with the values of the next and the previous year,
 * which Etsy may use around New Year.
 */
async function withEra<Answer>(options: ListingOptions, year: number, send: () => Promise<Answer>): Promise<Answer> {
  const eras = [options.when_made, ...neighbouringEras(options.when_made, year)]
  for (const [index, era] of eras.entries()) {
    options.when_made = era
    try {
      return await send()
    } catch (error) {
      const isOfEra = isFailure(error, 'refused') && /when_?made/i.test(`${error.fields.join()} ${error.message}`)
      if (!isOfEra || index === eras.length - 1) throw error
    }
  }
  throw new Error('unreachable')
}

export function wrongCurrency(ours: string, theirs: string): PlatformError {
  return new PlatformError('etsy', 'refused', `The shop on Etsy sells in ${theirs}, and the price is in ${ours}.`, {
    platformCode: 'currency',
  })
}
