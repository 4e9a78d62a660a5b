import { createAnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { FetchPicture } from '#server/integrations/fetch-picture.ts'
import type { KnownListing, ListingPort, PublishedListing, ShopAccess } from '#server/integrations/port.ts'
import type { Trading } from '../client.ts'
import type { Rest } from '../rest.ts'
import { readAspects, readChoices, readShopChoices, searchCategories } from './choices.ts'
import { readConditions } from './condition-policy.ts'
import { ebayFees } from './fees.ts'
import { ebayFindings } from './findings.ts'
import { createOffers, isLive } from './offers.ts'
import { optInToPolicies, siteLanguage } from './policies.ts'
import { readLeastPrice } from './price-policy.ts'
import { publishItem } from './publish.ts'
import { readBack } from './read-back.ts'
import { endByTrading, readState, reviseContent, revisePrice } from './trading-listing.ts'
import { updateOwnContent } from './update-content.ts'

interface EbayListingOptions {
  rest: Rest
  trading: Trading
  /** The site that item pages are on: https://www.ebay.com. */
  siteUrl: string
  now?: (() => Date) | undefined
  /** Fetches the pictures of new listings, to measure them. */
  fetchPicture: FetchPicture | undefined
}

/**
 * Publishes, ends and prices listings on eBay. Our own listings are offers of the Inventory API under our key as SKU.
 * Listings that Hapax did not make are ended and priced by the Trading API.
 */
export function createListingPort(options: EbayListingOptions): ListingPort {
  const { rest, trading, siteUrl, fetchPicture, now = () => new Date() } = options
  const cache = createAnswerCache()
  const offers = createOffers(rest)

  /** Returns our offer behind a listing; null for a listing that Hapax did not make. */
  async function findOffer(access: ShopAccess, listing: KnownListing) {
    if (listing.externalKey === null) return null
    const own = await offers.readAll(access, listing.externalKey)
    const offer = own.find((one) => one.listing?.listingId === listing.listing_id) ?? null
    if (offer) listing.onHold?.(offer.listing?.listingOnHold ?? false)
    return offer
  }

  function addressOf(listing_id: string): PublishedListing {
    return { listing_id, url: `${siteUrl}/itm/${listing_id}` }
  }

  return {
    choices: (access, item, options) => readChoices(rest, access, item, cache, options),
    shopChoices: (access, seller) => readShopChoices(rest, access, seller, cache),
    searchCategories: (access, search) => searchCategories(rest, access, search, cache),
    async findings(access, request) {
      const { marketplace_id: site, category_id: category } = request.options
      if (typeof site !== 'string') return ebayFindings(request, [])
      const leastPrice = await readLeastPrice(rest, access, site, cache)
      if (typeof category !== 'string') return ebayFindings(request, [], { leastPrice })
      const language = await siteLanguage(rest, access, site, cache)
      const [aspects, conditions] = await Promise.all([
        readAspects(rest, access, { site, language, category }, cache),
        readConditions(rest, access, { site, language, category }, cache),
      ])
      return ebayFindings(request, aspects, { leastPrice, conditions })
    },
    fees: ebayFees,
    optIn: (access) => optInToPolicies(rest, access),
    readState: (access, listingId) => readState({ trading, access, now }, listingId),
    readBack: (access, listingId, sent) => readBack(trading, access, listingId, sent),

    async publish(access, request, step) {
      return addressOf(await publishItem({ rest, offers, cache, fetchPicture }, access, request, step))
    },

    async findPublished(access, externalKey) {
      const live = (await offers.readAll(access, externalKey)).find(isLive)
      return live ? addressOf(live.listing.listingId) : null
    },

    async withdraw(access, listing) {
      const offer = await findOffer(access, listing)
      if (!offer) return endByTrading({ trading, access, now }, listing)
      try {
        await offers.withdraw(access, offer)
      } catch (error) {
        // A refused withdrawal is fine if eBay shows that the listing is down.
        if (!isFailure(error, 'refused')) throw error
        if ((await readState({ trading, access, now }, listing.listing_id)) === 'live') throw error
      }
    },

    async discard(access, { externalKey }) {
      for (const offer of await offers.readAll(access, externalKey)) {
        if (offer.status !== 'PUBLISHED') await offers.remove(access, offer)
      }
    },

    async changePrice(access, listing) {
      const { externalKey, price_minor, currency } = listing
      const offer = await findOffer(access, listing)
      if (offer && externalKey !== null) {
        return offers.changePrice(access, offer, { sku: externalKey, price_minor, currency })
      }
      await revisePrice({ trading, access, now }, listing)
    },

    async updateContent(access, listing, { price, ...content }) {
      if (content.fields.includes('images') && content.images.length === 0) {
        throw new PlatformError('ebay', 'refused', 'eBay needs a picture.', { platformCode: 'missing_picture' })
      }
      const offer = await findOffer(access, listing)
      if (!offer || listing.externalKey === null) return reviseContent({ trading, access, now }, listing, content)
      await updateOwnContent({ rest, offers }, access, { sku: listing.externalKey, offer, price }, content)
    },
  }
}
