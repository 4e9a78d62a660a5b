import { createHash } from 'node:crypto'
import { decimalFromMinor } from '#shared/money.ts'
import { PlatformError } from '../errors.ts'
import type { ListingPort, LiveState, PostalAddress, PublishedListing, PublishRequest, ShopAccess } from '../port.ts'
import { createRecent } from '../recent.ts'
import { readChoices, readShopChoices, searchCategories } from './choices.ts'
import type { Trading } from './client.ts'
import { newConditions } from './condition.ts'
import { conditionDescriptorsOf } from './condition-policy.ts'
import { ebayDescription, maxListingDescription, maxProductDescription } from './description.ts'
import { ebayFees } from './fees.ts'
import { cut, ebayFindings, maxConditionNotes, maxPictures, maxTitle } from './findings.ts'
import { languageOf } from './marketplaces.ts'
import { BulkPriceAnswer, Offer, OfferAnswer, OffersAnswer, PublishAnswer } from './offer-wire.ts'
import { optInToPolicies } from './policies.ts'
import { identifiersNamed, identifiersOf, packageOf } from './product.ts'
import { regulatoryOf } from './regulatory.ts'
import { EbayRefusal, hasFault, type Rest } from './rest.ts'
import { GetItemAnswer, WireItem } from './wire.ts'

/** Errors by their number (platforms 1.4). */
const userError = 25002
const locationExists = 25803
const offerGone = 25713
/** Trading: the auction has ended already. */
const alreadyEnded = '1047'

export interface EbayListingOptions {
  rest: Rest
  trading: Trading
  /** The site whose item pages are linked to: https://www.ebay.com. */
  siteUrl: string
}

/**
 * Putting up and taking down on eBay (spec 4.15, platforms 1.4). Our own listings are offers of the Inventory API under
 * our key as SKU: eBay keeps one offer for a SKU and site and one listing for an offer, so that a repeated call cannot
 * make a second listing. Listings that Hapax did not make are ended by the Trading API.
 */
export function createListingPort({ rest, trading, siteUrl }: EbayListingOptions): ListingPort {
  const recent = createRecent()
  const port: ListingPort = {
    choices: (access, item, options) => readChoices(rest, access, item, recent, options),
    shopChoices: (access, seller) => readShopChoices(rest, access, seller, recent),
    searchCategories: (access, search) => searchCategories(rest, access, search, recent),
    findings: async (_access, request) => ebayFindings(request),
    fees: ebayFees,
    optIn: (access) => optInToPolicies(rest, access),

    async publish(access, request, step) {
      const options = requireOptions(request)
      const language = languageOf(options.marketplace_id)
      const locationKey = locationKeyOf(request.address)
      const write = { accessToken: access.accessToken, signal: access.signal, language }

      const descriptors = await conditionDescriptorsOf(
        rest,
        access,
        { site: options.marketplace_id, category: options.category_id },
        { condition: options.condition, descriptors: options.condition_descriptors },
        recent,
      )

      await step('location')
      await rest({
        ...write,
        call: 'the location',
        method: 'POST',
        path: `/sell/inventory/v1/location/${locationKey}`,
        body: locationBody(request.address),
      }).catch((error: unknown) => {
        // It was made before, by this seller's earlier listing.
        const isThere = (error instanceof EbayRefusal && error.status === 409) || hasFault(error, locationExists)
        if (!isThere) throw error
      })

      await step('inventory-item')
      await putItem()

      await step('offer')
      const offer = await putOffer(access, offerBody(request, options, locationKey), language)
      // Seen as up without an earlier attempt of ours: that may be the picture before it was taken down.
      if (isLive(offer) && request.repeated) return addressOf(offer.listing.listingId)

      await step('publish')
      const published = await publishOffer()
        .catch(async (error: unknown) => {
          // eBay asks for an identifier that no aspect of the category names: "Does not apply" is an answer to it.
          const wanted = wantedIdentifiers(error)
          if (wanted.size === 0) throw error
          await putItem(wanted)
          return publishOffer()
        })
        .catch(async (error: unknown) => {
          // Refused, and yet it may be there: an earlier attempt's publication arrived meanwhile.
          if (!(error instanceof EbayRefusal) || error.failure !== 'refused') throw error
          const now = await readOffer(access, offer.offerId, language)
          if (now && isLive(now)) return { listingId: now.listing.listingId }
          throw error
        })
      await step('offer-published')
      return addressOf(published?.listingId ?? '')

      function publishOffer() {
        return rest({
          ...write,
          call: 'the publication of the offer',
          method: 'POST',
          path: `/sell/inventory/v1/offer/${encodeURIComponent(offer.offerId)}/publish`,
          schema: PublishAnswer,
        })
      }

      async function putItem(wanted?: ReadonlySet<string>): Promise<void> {
        await rest({
          ...write,
          call: 'the inventory item',
          method: 'PUT',
          path: `/sell/inventory/v1/inventory_item/${encodeURIComponent(request.externalKey)}`,
          body: {
            ...itemBody(request, options, wanted),
            ...(descriptors.length > 0 ? { conditionDescriptors: descriptors } : {}),
          },
        })
      }
    },

    async findPublished(access, externalKey) {
      const offers = await readOffers(access, externalKey)
      const live = offers.find(isLive)
      return live ? addressOf(live.listing.listingId) : null
    },

    async withdraw(access, { listing_id, externalKey }) {
      const offers = externalKey === null ? [] : await readOffers(access, externalKey)
      const offer = offers.find((one) => one.listing?.listingId === listing_id)
      if (!offer) return endByTrading(access, listing_id)
      await rest({
        call: 'the withdrawal of the offer',
        method: 'POST',
        path: `/sell/inventory/v1/offer/${encodeURIComponent(offer.offerId)}/withdraw`,
        language: languageOf(offer.marketplaceId),
        accessToken: access.accessToken,
        signal: access.signal,
      }).catch(async (error: unknown) => {
        if (hasFault(error, offerGone) || isOf(error, 'not_found')) return
        if (!isOf(error, 'refused')) throw error
        // It is not published any more, or was ended otherwise: what eBay shows decides.
        if ((await port.readState(access, listing_id)) === 'live') throw error
      })
    },

    async readState(access, listingId) {
      try {
        const root = await trading({
          name: 'GetItem',
          accessToken: access.accessToken,
          signal: access.signal,
          fields: { ItemID: listingId },
        })
        return stateOf(WireItem.parse(GetItemAnswer.parse(root).Item))
      } catch (error) {
        if (isOf(error, 'not_found')) return 'missing'
        if (error instanceof Error && error.name === 'ZodError') {
          throw new PlatformError('ebay', 'malformed', "eBay's answer about a listing is not understood.", {
            cause: error,
          })
        }
        throw error
      }
    },

    async discard(access, { externalKey }) {
      for (const offer of await readOffers(access, externalKey)) {
        if (offer.status === 'PUBLISHED') continue
        await rest({
          call: 'the removal of the offer',
          method: 'DELETE',
          path: `/sell/inventory/v1/offer/${encodeURIComponent(offer.offerId)}`,
          language: languageOf(offer.marketplaceId),
          accessToken: access.accessToken,
          signal: access.signal,
        })
      }
    },

    async changePrice(access, { listing_id, externalKey, price_minor, currency }) {
      const value = decimalFromMinor(price_minor, currency)
      const offers = externalKey === null ? [] : await readOffers(access, externalKey)
      const offer = offers.find((one) => one.listing?.listingId === listing_id)
      if (!offer || externalKey === null) {
        await trading({
          name: 'ReviseFixedPriceItem',
          accessToken: access.accessToken,
          signal: access.signal,
          fields: { Item: { ItemID: listing_id, StartPrice: value } },
        })
        return
      }
      const answer = await rest({
        call: 'the new price',
        method: 'POST',
        path: '/sell/inventory/v1/bulk_update_price_quantity',
        language: languageOf(offer.marketplaceId),
        accessToken: access.accessToken,
        signal: access.signal,
        body: { requests: [{ sku: externalKey, offers: [{ offerId: offer.offerId, price: { value, currency } }] }] },
        schema: BulkPriceAnswer,
      })
      const failed = answer?.responses.find((one) => (one.errors?.length ?? 0) > 0 || (one.statusCode ?? 200) >= 400)
      if (failed) {
        const [fault] = failed.errors ?? []
        throw new PlatformError(
          'ebay',
          'refused',
          `eBay refused the new price: ${fault?.message ?? 'no reason given'}`,
          {
            platformCode: String(fault?.errorId ?? failed.statusCode),
          },
        )
      }
    },
  }
  return port

  /** The offer of a SKU and site: made, or brought up to what is wanted now. */
  async function putOffer(access: ShopAccess, body: OfferBody, language: string): Promise<Offer> {
    const write = { accessToken: access.accessToken, signal: access.signal, language } as const
    const offers = await readOffers(access, body.sku, language)
    const known = offers.find((one) => one.marketplaceId === body.marketplaceId && one.format === body.format)
    if (known) return updateOffer(known)
    try {
      const made = await rest({
        ...write,
        call: 'the new offer',
        method: 'POST',
        path: '/sell/inventory/v1/offer',
        body,
        schema: OfferAnswer,
      })
      return { offerId: made?.offerId ?? '' }
    } catch (error) {
      // "Offer entity already exists": in the site's language, so that the number and the parameter count.
      const there = hasFault(error, userError)
        ? error.faults.flatMap((fault) => fault.parameters ?? []).find(({ name }) => name === 'offerId')
        : undefined
      if (!there) throw error
      return updateOffer({ offerId: there.value })
    }

    async function updateOffer(offer: Offer): Promise<Offer> {
      const { sku: _sku, marketplaceId: _site, format: _format, ...changes } = body
      await rest({
        ...write,
        call: 'the offer',
        method: 'PUT',
        path: `/sell/inventory/v1/offer/${encodeURIComponent(offer.offerId)}`,
        body: changes,
      })
      return (await readOffer(access, offer.offerId, language)) ?? offer
    }
  }

  async function readOffers(access: ShopAccess, sku: string, language?: string): Promise<Offer[]> {
    try {
      const answer = await rest({
        call: 'the offers of an item',
        method: 'GET',
        path: `/sell/inventory/v1/offer?sku=${encodeURIComponent(sku)}`,
        language,
        accessToken: access.accessToken,
        signal: access.signal,
        schema: OffersAnswer,
      })
      return answer?.offers ?? []
    } catch (error) {
      // No offer, or no such SKU: the same for us.
      if (hasFault(error, offerGone) || isOf(error, 'not_found')) return []
      throw error
    }
  }

  async function readOffer(access: ShopAccess, offerId: string, language: string): Promise<Offer | null> {
    try {
      const answer = await rest({
        call: 'the offer',
        method: 'GET',
        path: `/sell/inventory/v1/offer/${encodeURIComponent(offerId)}`,
        language,
        accessToken: access.accessToken,
        signal: access.signal,
        schema: Offer,
      })
      return answer ?? null
    } catch (error) {
      if (hasFault(error, offerGone) || isOf(error, 'not_found')) return null
      throw error
    }
  }

  /** Ends a listing whoever made it; one that is down or gone already is as it should be. */
  async function endByTrading(access: ShopAccess, listingId: string): Promise<void> {
    const end = (name: 'EndFixedPriceItem' | 'EndItem') =>
      trading({
        name,
        accessToken: access.accessToken,
        signal: access.signal,
        fields: { ItemID: listingId, EndingReason: 'NotAvailable' },
      })
    // An auction is ended by another call.
    for (const name of ['EndFixedPriceItem', 'EndItem'] as const) {
      try {
        await end(name)
        return
      } catch (error) {
        if (!isOf(error, 'refused') && !isOf(error, 'not_found')) throw error
        if ((error as PlatformError).platformCode === alreadyEnded) return
        // 17 is said of what is deleted and of what is another's: what eBay shows decides. It may end by itself meanwhile.
        const state = await port.readState(access, listingId)
        if (state !== 'live') return
        if (name === 'EndItem') throw error
      }
    }
  }

  function addressOf(listing_id: string): PublishedListing {
    return { listing_id, url: `${siteUrl}/itm/${listing_id}` }
  }
}

interface Options {
  marketplace_id: string
  category_id: string
  condition: string
  payment_policy_id: string
  fulfillment_policy_id: string
  return_policy_id: string
  aspects: Record<string, string[]>
  condition_descriptors: Record<string, string>
}

function requireOptions(request: PublishRequest): Options {
  const given = request.options as Partial<Options>
  const names = [
    'marketplace_id',
    'category_id',
    'condition',
    'payment_policy_id',
    'fulfillment_policy_id',
    'return_policy_id',
  ] as const
  const missing = names.find((name) => !given[name])
  if (missing) throw new PlatformError('ebay', 'refused', `eBay needs ${missing}.`, { platformCode: 'missing_option' })
  return {
    ...given,
    aspects: given.aspects ?? {},
    condition_descriptors: given.condition_descriptors ?? {},
  } as Options
}

/** Identifiers that eBay misses by a refusal's own words; none for any other error. */
function wantedIdentifiers(error: unknown): Set<string> {
  if (!hasFault(error, userError)) return new Set()
  const faults = error.faults.filter(({ errorId }) => errorId === userError)
  return identifiersNamed(
    faults.flatMap(({ message = '', parameters }) => [message, ...(parameters ?? []).map(({ value }) => value)]),
  )
}

/** A key for an address, the same whenever the address is; eBay takes 36 characters. */
export function locationKeyOf(address: PostalAddress): string {
  const place = [address.line1, address.line2, address.city, address.region, address.postal_code, address.country]
  return `hapax-${createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 24)}`
}

function locationBody(address: PostalAddress): object {
  return {
    location: {
      address: {
        addressLine1: address.line1,
        ...(address.line2 ? { addressLine2: address.line2 } : {}),
        city: address.city,
        ...(address.region ? { stateOrProvince: address.region } : {}),
        postalCode: address.postal_code,
        country: address.country,
      },
    },
    locationTypes: ['WAREHOUSE'],
    merchantLocationStatus: 'ENABLED',
    name: 'Hapax',
  }
}

/** The thing itself. A full replacement at eBay: what is left out is lost, so all of it is sent each time. */
function itemBody(request: PublishRequest, options: Options, wanted?: ReadonlySet<string>): object {
  const notes = request.condition.notes.trim()
  const parcel = packageOf(request, options.marketplace_id)
  return {
    availability: { shipToLocationAvailability: { quantity: 1 } },
    condition: options.condition,
    // eBay takes notes about used items only.
    ...(notes && !newConditions.has(options.condition)
      ? { conditionDescription: notes.slice(0, maxConditionNotes) }
      : {}),
    product: {
      title: cut(request.title, maxTitle),
      description: ebayDescription(request.description, request.title, maxProductDescription),
      imageUrls: request.images.slice(0, maxPictures).map(secure),
      ...(Object.keys(options.aspects).length > 0 ? { aspects: options.aspects } : {}),
      ...identifiersOf(request, options.aspects, wanted),
    },
    ...(parcel ? { packageWeightAndSize: parcel } : {}),
  }
}

interface OfferBody {
  sku: string
  marketplaceId: string
  format: 'FIXED_PRICE'
  [name: string]: unknown
}

function offerBody(request: PublishRequest, options: Options, locationKey: string): OfferBody {
  const regulatory = regulatoryOf(request)
  return {
    sku: request.externalKey,
    marketplaceId: options.marketplace_id,
    format: 'FIXED_PRICE',
    availableQuantity: 1,
    categoryId: options.category_id,
    // Items that exist once take no text or pictures from eBay's catalog.
    includeCatalogProductDetails: false,
    listingDescription: ebayDescription(request.description, request.title, maxListingDescription),
    listingDuration: 'GTC',
    listingPolicies: {
      paymentPolicyId: options.payment_policy_id,
      fulfillmentPolicyId: options.fulfillment_policy_id,
      returnPolicyId: options.return_policy_id,
    },
    merchantLocationKey: locationKey,
    ...(regulatory ? { regulatory } : {}),
    pricingSummary: {
      price: { value: decimalFromMinor(request.price_minor, request.currency), currency: request.currency },
    },
  }
}

/** eBay fetches pictures over https only; hosts that gave us http serve https too. A sandbox's own stay as they are. */
function secure(address: string): string {
  const url = new URL(address)
  const isLocal = /^(127\.|localhost$|\[::1\]$)/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal) url.protocol = 'https:'
  return url.href
}

/** Published, and its listing on sale. */
function isLive(offer: Offer): offer is Offer & { listing: { listingId: string } } {
  const status = offer.listing?.listingStatus
  return (
    offer.status === 'PUBLISHED' && Boolean(offer.listing?.listingId) && (status === undefined || status === 'ACTIVE')
  )
}

/** Whether buyers can buy it now (platforms 1.3): what eBay calls Active, with something left. */
export function stateOf(item: WireItem): LiveState {
  const status = item.SellingStatus?.ListingStatus
  const sold = Number(item.SellingStatus?.QuantitySold ?? 0)
  const left = Number(item.Quantity ?? 1) - sold
  if (status === 'Active') return left > 0 ? 'live' : 'sold'
  if (status === 'Completed' || status === 'Ended') return sold > 0 && left <= 0 ? 'sold' : 'ended'
  // A status that is not known here is not taken for proof that nobody can buy it.
  return 'live'
}

function isOf(error: unknown, failure: PlatformError['failure']): boolean {
  return error instanceof PlatformError && error.failure === failure
}
