import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import type { BeforeSend, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { languageOf } from '../marketplaces.ts'
import { EbayRefusal, hasFault, type Rest } from '../rest.ts'
import { conditionDescriptorsOf } from './condition-policy.ts'
import { itemBody, locationBody, locationKeyOf, offerBody, requireOptions } from './listing-body.ts'
import { isLive, type Offers, userError } from './offers.ts'
import { identifiersNamed } from './product.ts'

const locationExists = 25803

/**
 * Publishes an item as an offer of the Inventory API, with our key as its SKU, and returns the listing's id. Every step
 * can be repeated, because eBay makes only one listing of a SKU.
 */
export async function publishItem(
  { rest, offers, cache }: { rest: Rest; offers: Offers; cache: AnswerCache },
  access: ShopAccess,
  request: PublishRequest,
  beforeSend: BeforeSend,
): Promise<string> {
  const options = requireOptions(request)
  const language = languageOf(options.marketplace_id)
  const descriptors = await readConditionDescriptors()

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
      { site: options.marketplace_id, category: options.category_id },
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

  async function putItem(identifiers?: ReadonlySet<string>): Promise<void> {
    await rest({
      accessToken: access.accessToken,
      signal: access.signal,
      language,
      call: 'the inventory item',
      method: 'PUT',
      path: `/sell/inventory/v1/inventory_item/${encodeURIComponent(request.externalKey)}`,
      body: itemBody(request, options, descriptors, identifiers),
    })
  }

  /** Publishes. If eBay requires an identifier without an aspect for it, sends "Does not apply" and tries again. */
  async function publishWithIdentifiers(): Promise<string> {
    try {
      return await offers.publish(access, offer.offerId, language)
    } catch (error) {
      const missing = missingIdentifiers(error)
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

/** Returns the identifiers that a refusal names; none for another error. */
function missingIdentifiers(error: unknown): Set<string> {
  if (!hasFault(error, userError)) return new Set()
  const faults = error.faults.filter(({ errorId }) => errorId === userError)
  return identifiersNamed(
    faults.flatMap(({ message = '', parameters }) => [message, ...(parameters ?? []).map(({ value }) => value)]),
  )
}
