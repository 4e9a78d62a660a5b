import { createAnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { ListingPort, LiveState, PublishedListing, ShopAccess } from '#server/integrations/port.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { Trading } from '../client.ts'
import type { Rest } from '../rest.ts'
import { GetItemAnswer, WireItem } from '../wire.ts'
import { readChoices, readShopChoices, searchCategories } from './choices.ts'
import { ebayFees } from './fees.ts'
import { ebayFindings } from './findings.ts'
import { createOffers, isLive } from './offers.ts'
import { optInToPolicies } from './policies.ts'
import { publishItem } from './publish.ts'
import { reviseContent, updateOwnContent } from './update-content.ts'

/** Trading error: the listing has already ended. */
const alreadyEnded = '1047'

interface EbayListingOptions {
  rest: Rest
  trading: Trading
  /** The site that item pages are on: https://www.ebay.com. */
  siteUrl: string
}

/**
 * Publishes, ends and prices listings on eBay. Our own listings are offers of the Inventory API under our key as SKU.
 * Listings that Hapax did not make are ended and priced by the Trading API.
 */
export function createListingPort({ rest, trading, siteUrl }: EbayListingOptions): ListingPort {
  const cache = createAnswerCache()
  const offers = createOffers(rest)

  /** Returns our offer behind a listing; null for a listing that Hapax did not make. */
  async function findOffer(access: ShopAccess, listing: { listing_id: string; externalKey: string | null }) {
    if (listing.externalKey === null) return null
    const own = await offers.readAll(access, listing.externalKey)
    return own.find((one) => one.listing?.listingId === listing.listing_id) ?? null
  }

  function addressOf(listing_id: string): PublishedListing {
    return { listing_id, url: `${siteUrl}/itm/${listing_id}` }
  }

  return {
    choices: (access, item, options) => readChoices(rest, access, item, cache, options),
    shopChoices: (access, seller) => readShopChoices(rest, access, seller, cache),
    searchCategories: (access, search) => searchCategories(rest, access, search, cache),
    findings: async (_access, request) => ebayFindings(request),
    fees: ebayFees,
    optIn: (access) => optInToPolicies(rest, access),
    readState: (access, listingId) => readState(trading, access, listingId),

    async publish(access, request, step) {
      return addressOf(await publishItem({ rest, offers, cache }, access, request, step))
    },

    async findPublished(access, externalKey) {
      const live = (await offers.readAll(access, externalKey)).find(isLive)
      return live ? addressOf(live.listing.listingId) : null
    },

    async withdraw(access, listing) {
      const offer = await findOffer(access, listing)
      if (!offer) return endByTrading(trading, access, listing.listing_id)
      try {
        await offers.withdraw(access, offer)
      } catch (error) {
        // A refused withdrawal is fine if eBay shows that the listing is down.
        if (!isFailure(error, 'refused')) throw error
        if ((await readState(trading, access, listing.listing_id)) === 'live') throw error
      }
    },

    async discard(access, { externalKey }) {
      for (const offer of await offers.readAll(access, externalKey)) {
        if (offer.status !== 'PUBLISHED') await offers.remove(access, offer)
      }
    },

    async changePrice(access, listing) {
      const { listing_id, externalKey, price_minor, currency } = listing
      const offer = await findOffer(access, listing)
      if (offer && externalKey !== null) {
        return offers.changePrice(access, offer, { sku: externalKey, price_minor, currency })
      }
      await trading({
        name: 'ReviseFixedPriceItem',
        accessToken: access.accessToken,
        signal: access.signal,
        fields: { Item: { ItemID: listing_id, StartPrice: decimalFromMinor(price_minor, currency) } },
      })
    },

    async updateContent(access, listing, { price, ...content }) {
      if (content.fields.includes('images') && content.images.length === 0) {
        throw new PlatformError('ebay', 'refused', 'eBay needs a picture.', { platformCode: 'missing_picture' })
      }
      const offer = await findOffer(access, listing)
      if (!offer || listing.externalKey === null) return reviseContent(trading, access, listing.listing_id, content)
      await updateOwnContent({ rest, offers }, access, { sku: listing.externalKey, offer, price }, content)
    },
  }
}

async function readState(trading: Trading, access: ShopAccess, listingId: string): Promise<LiveState> {
  try {
    const root = await trading({
      name: 'GetItem',
      accessToken: access.accessToken,
      signal: access.signal,
      fields: { ItemID: listingId },
    })
    return stateOf(WireItem.parse(GetItemAnswer.parse(root).Item))
  } catch (error) {
    if (isFailure(error, 'not_found')) return 'missing'
    if (error instanceof Error && error.name === 'ZodError') {
      throw new PlatformError('ebay', 'malformed', "eBay's answer about a listing is not understood.", { cause: error })
    }
    throw error
  }
}

/** Ends a listing that Hapax did not make. A listing that is already down or gone is success. */
async function endByTrading(trading: Trading, access: ShopAccess, listingId: string): Promise<void> {
  // Auctions need the second call.
  for (const name of ['EndFixedPriceItem', 'EndItem'] as const) {
    try {
      await trading({
        name,
        accessToken: access.accessToken,
        signal: access.signal,
        fields: { ItemID: listingId, EndingReason: 'NotAvailable' },
      })
      return
    } catch (error) {
      if (!isFailure(error, 'refused') && !isFailure(error, 'not_found')) throw error
      if (error.platformCode === alreadyEnded) return
      // The listing may have been deleted (error 17) or ended meanwhile.
      if ((await readState(trading, access, listingId)) !== 'live') return
      if (name === 'EndItem') throw error
    }
  }
}

/** Returns the state of an item. It is live if eBay calls it Active and a unit is left. */
export function stateOf(item: WireItem): LiveState {
  const status = item.SellingStatus?.ListingStatus
  const sold = Number(item.SellingStatus?.QuantitySold ?? 0)
  const left = Number(item.Quantity ?? 1) - sold
  if (status === 'Active') return left > 0 ? 'live' : 'sold'
  if (status === 'Completed' || status === 'Ended') return sold > 0 && left <= 0 ? 'sold' : 'ended'
  // An unknown status does not prove that the listing is down.
  return 'live'
}
