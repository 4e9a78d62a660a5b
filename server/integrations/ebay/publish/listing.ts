import { createAnswerCache } from '#server/integrations/answer-cache.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { FetchPicture } from '#server/integrations/fetch-picture.ts'
import type { ListingPort, PublishedListing } from '#server/integrations/port.ts'
import type { Trading } from '../client.ts'
import { findLiveBySku } from '../read/seller-list.ts'
import type { Rest } from '../rest.ts'
import { readAspects, readChoices, readShopChoices, searchCategories } from './choices.ts'
import { readConditions } from './condition-policy.ts'
import { ebayFees } from './fees.ts'
import { ebayFindings, mixedPictures } from './findings.ts'
import { siteLanguage } from './policies.ts'
import { readLeastPrice } from './price-policy.ts'
import { publishItem, verifyItem } from './publish.ts'
import { readBack } from './read-back.ts'
import { endByTrading, readState, reviseContent, revisePrice } from './trading-listing.ts'

interface EbayListingOptions {
  rest: Rest
  trading: Trading
  /** The site that item pages are on: https://www.ebay.com. */
  siteUrl: string
  now?: (() => Date) | undefined
  /** Fetches the pictures of new listings, to measure them. */
  fetchPicture: FetchPicture | undefined
}

/** Publishes, changes and ends listings by the Trading API, whoever made them. */
export function createListingPort(options: EbayListingOptions): ListingPort {
  const { rest, trading, siteUrl, fetchPicture, now = () => new Date() } = options
  const cache = createAnswerCache()
  const tools = { rest, trading, cache, fetchPicture }
  const addressOf = (listing_id: string): PublishedListing => ({ listing_id, url: `${siteUrl}/itm/${listing_id}` })

  return {
    isIdempotent: true,
    choices: (access, item, options) => readChoices(tools, access, item, options),
    shopChoices: (access, seller) => readShopChoices(tools, access, seller),
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
    verify: (access, request) => verifyItem(tools, access, request),
    readState: (access, listingId) => readState({ trading, access, now }, listingId),
    readBack: (access, listingId, sent) => readBack(trading, access, listingId, sent),

    async publish(access, request, beforeSend) {
      return addressOf(await publishItem(tools, access, request, beforeSend))
    },

    async findPublished(access, externalKey) {
      const listing_id = await findLiveBySku(trading, access, externalKey, now())
      return listing_id === null ? null : addressOf(listing_id)
    },

    withdraw: (access, listing) => endByTrading({ trading, access, now }, listing),
    changePrice: (access, listing) => revisePrice({ trading, access, now }, listing),

    async updateContent(access, listing, content) {
      if (content.fields.includes('images')) {
        if (content.images.length === 0) {
          throw new PlatformError('ebay', 'refused', 'eBay needs a picture.', { platformCode: 'missing_picture' })
        }
        const [mixed] = mixedPictures(content.images)
        if (mixed) throw new PlatformError('ebay', 'refused', mixed.message, { platformCode: 'picture' })
      }
      await reviseContent({ trading, access, now }, listing, content)
    },
  }
}
