import { createAnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { FetchPicture } from '#server/integrations/fetch-picture.ts'
import type { ListingPort, LiveState, PublishedListing, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { Etsy } from '../client.ts'
import type { ReadShop } from '../shop.ts'
import { stateForBuyers } from '../states.ts'
import type { Categories } from '../taxonomy.ts'
import { unescapeHtml } from '../text.ts'
import { etsyFees, type ListingCharge } from './fees.ts'
import { findCategories } from './find-categories.ts'
import { etsyFindings } from './findings.ts'
import { withPrice } from './listing-body.ts'
import { readChoices, readShopChoices } from './listing-choices.ts'
import { isMalformedValue } from './listing-text.ts'
import { createOwnListings } from './own-listings.ts'
import { priceFault } from './price-bounds.ts'
import { readProperties } from './properties.ts'
import { publishItem, wrongCurrency } from './publish.ts'
import { readBack } from './read-back.ts'
import type { OwnInventory, OwnListing } from './selling-wire.ts'
import { updateContent } from './update-content.ts'

/** Cache time of a shop's currency, which hardly ever changes. */
const currencyMaxAgeMs = 86_400_000

interface EtsyListingOptions {
  etsy: Etsy
  categories: () => Promise<Categories>
  fetchPicture: FetchPicture
  /** The site that listing pages are on: https://www.etsy.com. */
  siteUrl: string
  /** The current time; the values of `when_made` depend on the year. */
  clock: () => Date
  readShop: ReadShop
}

/** Publishes, ends and prices listings on Etsy. */
export function createListingPort(given: EtsyListingOptions): ListingPort {
  const { etsy, categories, fetchPicture, siteUrl, clock, readShop } = given
  const cache = createAnswerCache()
  const listings = createOwnListings(etsy)
  const choiceTools = { etsy, cache, siteUrl }
  const yearNow = () => clock().getUTCFullYear()

  /** Returns the currency that the shop lists in; null if Etsy does not report it. */
  async function currencyOf(access: ShopAccess): Promise<string | null> {
    return (await readShop(access, currencyMaxAgeMs)).currency_code ?? null
  }

  /** Returns whether Etsy charges for the listing, which depends on the state of the item's earlier one. */
  async function chargeOf(
    { made }: PublishRequest,
    access: ShopAccess,
    mayLookUp: () => boolean,
  ): Promise<ListingCharge> {
    if (!made) return 'charged'
    if (!mayLookUp()) return 'unknown'
    try {
      const { state, ending_timestamp } = await listings.read(access, made)
      const isInactive = state === 'inactive' || state === 'edit'
      return isInactive && (ending_timestamp ?? Infinity) * 1000 > clock().getTime() ? 'free' : 'charged'
    } catch (error) {
      if (isFailure(error, 'not_found')) return 'charged'
      // A fee is no reason to refuse the listing.
      if (error instanceof PlatformError) return 'unknown'
      throw error
    }
  }

  async function readState(access: ShopAccess, listingId: string): Promise<LiveState> {
    const listing = await listings.readIfShown(access, listingId)
    return listing ? stateOf(listing) : 'missing'
  }

  function addressOf({ listing_id, url }: OwnListing): PublishedListing {
    return { listing_id, url: url ? unescapeHtml(url) : `${siteUrl}/listing/${listing_id}` }
  }

  return {
    choices: async (access, item, options = {}) =>
      readChoices(choiceTools, await categories(), access, item, options, yearNow()),
    shopChoices: (access, { country }) => readShopChoices(choiceTools, access, country),
    findings: async (access, request) =>
      etsyFindings(request, {
        categories: await categories(),
        shopCurrency: await currencyOf(access),
        year: yearNow(),
      }),
    fees: async (request, access, mayLookUp = () => true) => etsyFees(await chargeOf(request, access, mayLookUp)),
    searchCategories: async (_access, { words }) => findCategories(await categories(), words),
    readState,
    readBack: (access, listingId, sent) => readBack({ etsy, stateOf, year: yearNow() }, access, listingId, sent),

    async publish(access, request, step) {
      const photo_ids: string[] = []
      const uploadImage: typeof listings.uploadImage = async (...args) => {
        const made = await listings.uploadImage(...args)
        photo_ids.push(made.listing_image_id)
        return made
      }
      const tools = {
        listings: { ...listings, uploadImage },
        fetchPicture,
        readProperties: (taxonomyId: string) => readProperties(etsy, cache, taxonomyId, access.signal),
        year: yearNow(),
      }
      return { ...addressOf(await publishItem(tools, access, request, step)), photo_ids }
    },

    async findPublished(access, externalKey) {
      const found = await listings.findNewest(access, 'active', ({ skus }) => [skus].flat().includes(externalKey))
      return found && addressOf(found)
    },

    async withdraw(access, { listing_id }) {
      try {
        await listings.update(access, listing_id, 'the end of the listing', { state: 'inactive' })
      } catch (error) {
        if (isFailure(error, 'not_found')) return
        if (!isFailure(error, 'refused')) throw error
        // Etsy refuses to deactivate drafts, sold-out and expired listings, which are not for sale anyway.
        if ((await readState(access, listing_id)) === 'live') throw error
      }
    },

    async discard(access, { made }) {
      if (made === null) return
      const left = await listings.readIfShown(access, made)
      if (left?.state === 'draft') await listings.removeDraft(access, left.listing_id)
    },

    async changePrice(access, { listing_id, price_minor, currency }) {
      const inventory = await listings.readInventory(access, listing_id)
      requireOnePrice(inventory, currency)
      requireSendable(inventory)
      const fault = priceFault(price_minor, currency)
      if (fault) throw new PlatformError('etsy', 'refused', fault.message, { platformCode: fault.code })
      const changed = withPrice(inventory, decimalFromMinor(price_minor, currency))
      await listings.writeInventory(access, listing_id, 'the new price', changed)
    },

    updateContent: (access, { listing_id }, content) =>
      updateContent({ listings, fetchPicture }, access, listing_id, content),
  }
}

/** Throws `refused` for an inventory in another currency or with several prices. */
function requireOnePrice(inventory: OwnInventory, currency: string): void {
  const prices = inventory.products
    .filter((product) => !product.is_deleted)
    .flatMap(({ offerings }) => offerings.flatMap(({ price }) => price ?? []))
  const currencies = prices.flatMap(({ currency_code }) => currency_code ?? [])
  if (currencies.some((code) => code !== currency)) throw wrongCurrency(currency, currencies[0] ?? '?')
  if (new Set(prices.map(({ amount }) => amount)).size > 1) {
    const message = 'The listing on Etsy has variations with prices of their own.'
    throw new PlatformError('etsy', 'refused', message, { platformCode: 'variations' })
  }
}

/**
 * Throws `refused` for an inventory that Etsy would not take back: names and values with parentheses can be read, but
 * updateListingInventory refuses them.
 */
function requireSendable({ products }: OwnInventory): void {
  const values = products
    .filter((product) => !product.is_deleted)
    .flatMap(({ property_values }) => property_values ?? [])
    .flatMap(({ property_name, values }) => [property_name ?? '', ...(values ?? [])])
  const odd = values.find(isMalformedValue)
  if (odd === undefined) return
  const message = `Etsy takes no new price while a variation has parentheses: “${odd}”. Rename it on Etsy, or change the price there.`
  throw new PlatformError('etsy', 'refused', message, { platformCode: 'variation_characters' })
}

/** Returns the state of a listing for buyers. */
function stateOf({ state, quantity }: Pick<OwnListing, 'state' | 'quantity'>): LiveState {
  // An unknown state does not prove that the listing is down.
  return stateForBuyers(state, quantity ?? null) ?? 'live'
}
