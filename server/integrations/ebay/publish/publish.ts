import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import type { FetchPicture } from '#server/integrations/fetch-picture.ts'
import type { BeforeSend, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { EbayRefusal, hasFault, type Rest } from '../rest.ts'
import { conditionDescriptorsOf } from './condition-policy.ts'
import { itemBody, locationBody, locationKeyOf, offerBody, pictureUrls, requireOptions } from './listing-body.ts'
import { fieldsNamed, type ProductField } from './local-terms.ts'
import { isLive, type Offers, userError } from './offers.ts'
import { refuseSmallPictures } from './picture-sizes.ts'
import { siteLanguage } from './policies.ts'

const locationExists = 25803

/** Errors that ask for a missing field: a user error, missing information, and a field that the category requires. */
const missingField = [userError, 25017, 25029]

interface PublishTools {
  rest: Rest
  offers: Offers
  cache: AnswerCache
  /** Fetches pictures to measure them; absent: they are not measured. */
  fetchPicture: FetchPicture | undefined
}

/**
 * Publishes an item as an offer of the Inventory API, with our key as its SKU, and returns the listing's id. Every step
 * can be repeated, because eBay makes only one listing of a SKU.
 */
export async function publishItem(
  { rest, offers, cache, fetchPicture }: PublishTools,
  access: ShopAccess,
  request: PublishRequest,
  beforeSend: BeforeSend,
): Promise<string> {
  const options = requireOptions(request)
  const language = await siteLanguage(rest, access, options.marketplace_id, cache)
  const conditionDescriptors = await readConditionDescriptors()

  if (fetchPicture && !request.repeated) {
    await refuseSmallPictures(fetchPicture, pictureUrls(request.images), access.signal)
  }

  await beforeSend('location')
  await createLocation()
  await beforeSend('inventory-item')
  await putItem()
  await beforeSend('offer')
  const offer = await offers.put(access, offerBody(request, options, locationKeyOf(request.address)), language)
  // In a first attempt, a live offer may be a stale read from before a withdrawal.
  if (isLive(offer) && request.repeated) return offer.listing.listingId
  await beforeSend('publish')
  return publishWithIdentifiers().catch(findPublishedMeanwhile)

  function readConditionDescriptors() {
    return conditionDescriptorsOf(
      rest,
      access,
      { site: options.marketplace_id, language, category: options.category_id },
      { condition: options.condition, descriptors: options.condition_descriptors },
      cache,
    )
  }

  async function createLocation(): Promise<void> {
    try {
      await rest({
        accessToken: access.accessToken,
        signal: access.signal,
        language,
        call: 'the location',
        method: 'POST',
        path: `/sell/inventory/v1/location/${locationKeyOf(request.address)}`,
        body: locationBody(request.address),
      })
    } catch (error) {
      const exists = (error instanceof EbayRefusal && error.status === 409) || hasFault(error, locationExists)
      if (!exists) throw error
    }
  }

  async function putItem(identifiers?: ReadonlySet<ProductField>): Promise<void> {
    await rest({
      accessToken: access.accessToken,
      signal: access.signal,
      language,
      call: 'the inventory item',
      method: 'PUT',
      path: `/sell/inventory/v1/inventory_item/${encodeURIComponent(request.externalKey)}`,
      body: itemBody(request, options, { conditionDescriptors, language, identifiers }),
    })
  }

  /** Publishes. If eBay requires an identifier without an aspect for it, sends the site's text for none and tries again. */
  async function publishWithIdentifiers(): Promise<string> {
    try {
      return await offers.publish(access, offer.offerId, language)
    } catch (error) {
      const missing = missingFields(error)
      if (missing.size === 0) throw error
      await putItem(missing)
      return offers.publish(access, offer.offerId, language)
    }
  }

  /** Returns the listing if an earlier attempt's publication arrived meanwhile; otherwise throws the refusal. */
  async function findPublishedMeanwhile(error: unknown): Promise<string> {
    if (!(error instanceof EbayRefusal) || error.failure !== 'refused') throw error
    const now = await offers.read(access, offer.offerId, language)
    if (now && isLive(now)) return now.listing.listingId
    throw error
  }
}

/** Returns the product fields that a refusal names; none for another error. */
function missingFields(error: unknown): Set<ProductField> {
  const faults =
    error instanceof EbayRefusal ? error.faults.filter(({ errorId }) => missingField.includes(errorId)) : []
  return fieldsNamed(
    faults.flatMap(({ message = '', longMessage, parameters }) => [
      ...[message, longMessage ?? ''],
      ...(parameters ?? []).map(({ value }) => value),
    ]),
  )
}
