import { z } from 'zod'
import { conditionInWords } from '#shared/condition-words.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'
import { PlatformError } from '../errors.ts'
import { type FetchPicture, PictureError } from '../fetch-picture.ts'
import { packedOf } from '../item-details.ts'
import type { ListingPort, LiveState, PublishedListing, PublishRequest, PublishStep, ShopAccess } from '../port.ts'
import { createRecent } from '../recent.ts'
import type { Etsy } from './client.ts'
import { currentEra, neighbouringEras } from './era.ts'
import { fetchEtsyPicture } from './etsy-picture.ts'
import { etsyFees } from './fees.ts'
import { findCategories } from './find-categories.ts'
import { etsyFindings, maxPictures } from './findings.ts'
import { readChoices, readShopChoices } from './listing-choices.ts'
import { etsyTitle } from './listing-text.ts'
import { Images, OwnInventory, OwnListing, OwnListings, ShopCurrency, UploadedImage } from './selling-wire.ts'
import type { Categories } from './taxonomy.ts'
import { unescapeHtml } from './text.ts'

/** A shop's currency hardly ever changes. */
const currencyMaxAgeMs = 86_400_000

/** Pages that are looked through for what a lost attempt made: it is among the newest. */
const pagesBack = 3

export interface EtsyListingOptions {
  etsy: Etsy
  categories: () => Promise<Categories>
  fetchPicture: FetchPicture
  /** The site whose listing pages are linked to: https://www.etsy.com. */
  siteUrl: string
  /** The values of `when_made` are those of the year. */
  clock: () => Date
}

/**
 * Putting up and taking down on Etsy (spec 4.15, platforms 2.3). A listing is made as a draft, which no buyer sees, and
 * its id is kept before it is made active: a repeated call goes on with that draft, so that there is one live listing.
 * A draft whose id was lost with the answer carries our key in its description until it goes up.
 */
export function createListingPort(given: EtsyListingOptions): ListingPort {
  const { etsy, categories, fetchPicture, siteUrl, clock } = given
  const recent = createRecent()
  const port: ListingPort = {
    choices: async (access, item, options) =>
      readChoices(etsy, await categories(), access, item, recent, options, clock().getUTCFullYear()),
    shopChoices: (access, { country }) => readShopChoices(etsy, access, country, recent),
    findings: async (access, request) =>
      etsyFindings(request, { categories: await categories(), shopCurrency: await currencyOf(access) }),
    fees: etsyFees,
    searchCategories: async (_access, { words }) => findCategories(await categories(), words),

    async publish(access, request, step) {
      const now = clock().getUTCFullYear()
      const given = requireOptions(request)
      const options = { ...given, when_made: currentEra(given.when_made, now) }
      const known = await findStarted(access, request)
      // Seen as up without an earlier attempt of ours: that may be the picture before it was taken down.
      if (known?.state === 'active' && request.repeated) return addressOf(known)
      const draft = known ?? (await withEra(options, now, () => makeDraft(access, request, options, step)))
      // Kept before anything else happens with it.
      await step('draft-made', draft.listing_id)
      await putImages(access, request, draft, known !== null, step)

      await step('inventory')
      await etsy(
        {
          ...on(access),
          call: 'the inventory',
          method: 'PUT',
          path: `/listings/${draft.listing_id}/inventory`,
          body: { json: inventoryOf(request, options) },
        },
        z.unknown(),
      )

      await step('activate')
      const listing = await withEra(options, now, () =>
        patch(access, draft.listing_id, 'the publication', {
          ...detailsOf(request, options),
          description: descriptionOf(request),
          state: 'active',
        }),
      )
      await step('activated')
      return addressOf(listing)
    },

    async findPublished(access, externalKey) {
      const found = await findAmongNewest(access, 'active', (listing) => listing.skus?.includes(externalKey) ?? false)
      return found && addressOf(found)
    },

    async withdraw(access, { listing_id }) {
      try {
        await patch(access, listing_id, 'the end of the listing', { state: 'inactive' })
      } catch (error) {
        if (isOf(error, 'not_found')) return
        if (!isOf(error, 'refused')) throw error
        // What is sold out, expired or a draft cannot be taken from sale: it is not on sale.
        if ((await port.readState(access, listing_id)) === 'live') throw error
      }
    },

    async readState(access, listingId) {
      try {
        return stateOf(await readListing(access, listingId))
      } catch (error) {
        if (isOf(error, 'not_found')) return 'missing'
        throw error
      }
    },

    async discard(access, { made }) {
      if (made === null) return
      const left = await readListing(access, made).catch((error: unknown) => {
        if (isOf(error, 'not_found')) return null
        throw error
      })
      if (left?.state !== 'draft') return
      await etsy(
        { ...on(access), call: 'the removal of the draft', method: 'DELETE', path: `/listings/${left.listing_id}` },
        z.unknown(),
      )
    },

    async changePrice(access, { listing_id, price_minor, currency }) {
      const path = `/listings/${encodeURIComponent(listing_id)}/inventory`
      const inventory = await etsy({ ...on(access), call: 'the inventory', path }, OwnInventory)
      const offered = inventory.products.filter((product) => !product.is_deleted)
      const currencies = offered.flatMap(({ offerings }) =>
        offerings.flatMap(({ price }) => price?.currency_code ?? []),
      )
      if (currencies.some((code) => code !== currency)) throw wrongCurrency(currency, currencies[0] ?? '?')
      const amounts = offered.flatMap(({ offerings }) => offerings.flatMap(({ price }) => price?.amount ?? []))
      if (new Set(amounts).size > 1) {
        const why = 'The listing on Etsy has variations with prices of their own.'
        throw new PlatformError('etsy', 'refused', why, { platformCode: 'variations' })
      }
      await etsy(
        {
          ...on(access),
          call: 'the new price',
          method: 'PUT',
          path,
          body: { json: repriced(inventory, decimalFromMinor(price_minor, currency)) },
        },
        z.unknown(),
      )
    },
  }
  return port

  /** Returns the currency that the shop lists in; null where Etsy does not say. */
  async function currencyOf(access: ShopAccess): Promise<string | null> {
    const path = `/shops/${encodeURIComponent(access.shop.external_id)}`
    const shop = await recent(path, currencyMaxAgeMs, () =>
      etsy({ ...on(access), call: 'the currency of the shop', path }, ShopCurrency),
    )
    return shop.currency_code ?? null
  }

  /**
   * What an earlier attempt, or an earlier listing of the item, left: a draft, or one that was taken down. Nothing goes up
   * before its id is known, so that what is looked for without one is a draft.
   */
  async function findStarted(access: ShopAccess, request: PublishRequest): Promise<OwnListing | null> {
    const made = request.made ? await readMade(access, request, request.made) : null
    // An expired one says 200 to being made active, and stays expired: a new one is made instead.
    if (made && made.state !== 'expired') return made
    if (!request.repeated) return null
    const mark = markOf(request.externalKey)
    return findAmongNewest(access, 'draft', ({ description }) => unescapeHtml(description ?? '').includes(mark))
  }

  /** A listing by the id that was kept. One that is not shown may be too new to be: then a write to it tells. */
  async function readMade(access: ShopAccess, request: PublishRequest, id: string): Promise<OwnListing | null> {
    try {
      return await readListing(access, id)
    } catch (error) {
      if (!isOf(error, 'not_found')) throw error
    }
    try {
      return await patch(access, id, 'the title', { title: etsyTitle(request.title) })
    } catch (error) {
      if (isOf(error, 'not_found')) return null
      throw error
    }
  }

  async function findAmongNewest(
    access: ShopAccess,
    state: 'draft' | 'active',
    isIt: (listing: OwnListing) => boolean,
  ): Promise<OwnListing | null> {
    for (let page = 0; page < pagesBack; page++) {
      const { count, results } = await etsy(
        {
          ...on(access),
          call: 'the newest listings',
          path: `/shops/${encodeURIComponent(access.shop.external_id)}/listings`,
          query: { state, limit: 100, offset: page * 100 },
        },
        OwnListings,
      )
      const found = results.find(isIt)
      if (found) return found
      if (count <= (page + 1) * 100) return null
    }
    return null
  }

  async function makeDraft(
    access: ShopAccess,
    request: PublishRequest,
    options: Options,
    step: PublishStep,
  ): Promise<OwnListing> {
    await step('draft')
    const draft = await etsy(
      {
        ...on(access),
        call: 'the new listing',
        method: 'POST',
        path: `/shops/${encodeURIComponent(access.shop.external_id)}/listings`,
        body: {
          form: {
            ...detailsOf(request, options),
            // Until it goes up, for a repeated call to find it by.
            description: `${descriptionOf(request)}\n\n${markOf(request.externalKey)}`,
            quantity: 1,
            price: decimalFromMinor(request.price_minor, request.currency),
            readiness_state_id: options.readiness_state_id,
            type: 'physical',
            should_auto_renew: false,
          },
        },
      },
      OwnListing,
    )
    // Etsy takes a number in the shop's own currency, whatever ours is.
    const currency = draft.price?.currency_code
    if (currency === undefined || currency === request.currency) return draft
    await etsy(
      { ...on(access), call: 'the removal of the draft', method: 'DELETE', path: `/listings/${draft.listing_id}` },
      z.unknown(),
    )
    throw wrongCurrency(request.currency, currency)
  }

  /** Uploads the images that are not there yet, byte for byte, in order: each takes its own rank, so that again is the same. */
  async function putImages(
    access: ShopAccess,
    request: PublishRequest,
    draft: OwnListing,
    isKnown: boolean,
    step: PublishStep,
  ): Promise<void> {
    const wanted = request.images.slice(0, maxPictures)
    const there = isKnown ? await countImages(access, draft.listing_id) : 0
    // A listing that was up before has its images: the seller may have put them in another order.
    if (draft.state !== 'draft' && there > 0) return
    for (const [index, address] of wanted.entries()) {
      if (index < there) continue
      const { bytes, type } = await fetchEtsyPicture(fetchPicture, address, access.signal).catch((error: unknown) => {
        if (!(error instanceof PictureError)) throw error
        const what = `Picture ${index + 1} cannot be used on Etsy: ${error.message}`
        throw new PlatformError('etsy', error.passes ? 'unavailable' : 'refused', what, {
          platformCode: 'picture',
          cause: error,
        })
      })
      await step(`image-${index + 1}`)
      const parts = new FormData()
      parts.set('image', new Blob([new Uint8Array(bytes)], { type }), `picture-${index + 1}.${type.slice(6)}`)
      parts.set('rank', String(index + 1))
      parts.set('overwrite', 'true')
      await etsy(
        {
          ...on(access),
          call: `picture ${index + 1}`,
          method: 'POST',
          path: `/shops/${encodeURIComponent(access.shop.external_id)}/listings/${draft.listing_id}/images`,
          body: { parts },
        },
        UploadedImage,
      )
    }
  }

  async function countImages(access: ShopAccess, listingId: string): Promise<number> {
    try {
      const path = `/listings/${listingId}/images`
      const { results } = await etsy({ ...on(access), call: 'the images', path }, Images)
      return results.length
    } catch (error) {
      // Too new to be shown: each picture takes its own rank, so that all of them again are the same.
      if (isOf(error, 'not_found')) return 0
      throw error
    }
  }

  function patch(
    access: ShopAccess,
    listingId: string,
    call: string,
    form: Record<string, string | number | boolean>,
  ): Promise<OwnListing> {
    const shop = encodeURIComponent(access.shop.external_id)
    const path = `/shops/${shop}/listings/${encodeURIComponent(listingId)}`
    return etsy({ ...on(access), call, method: 'PATCH', path, body: { form } }, OwnListing)
  }

  function readListing(access: ShopAccess, listingId: string): Promise<OwnListing> {
    return etsy({ ...on(access), call: 'the listing', path: `/listings/${encodeURIComponent(listingId)}` }, OwnListing)
  }

  function addressOf({ listing_id, url }: OwnListing): PublishedListing {
    return { listing_id, url: url ? unescapeHtml(url) : `${siteUrl}/listing/${listing_id}` }
  }
}

const on = (access: ShopAccess) => ({ accessToken: access.accessToken, signal: access.signal })

interface Options {
  taxonomy_id: string
  who_made: string
  when_made: string
  shipping_profile_id: string
  readiness_state_id: string
  return_policy_id?: string
}

function requireOptions(request: PublishRequest): Options {
  const given = request.options as Partial<Options>
  const names = ['taxonomy_id', 'who_made', 'when_made', 'shipping_profile_id', 'readiness_state_id'] as const
  const missing = names.find((name) => !given[name])
  if (missing) throw new PlatformError('etsy', 'refused', `Etsy needs ${missing}.`, { platformCode: 'missing_option' })
  if (request.images.length === 0) {
    throw new PlatformError('etsy', 'refused', 'Etsy needs a picture.', { platformCode: 'missing_picture' })
  }
  return given as Options
}

function detailsOf(request: PublishRequest, options: Options): Record<string, string | number | boolean> {
  const material = materialOf(request)
  return {
    title: etsyTitle(request.title),
    who_made: options.who_made,
    when_made: options.when_made,
    is_supply: false,
    taxonomy_id: options.taxonomy_id,
    shipping_profile_id: options.shipping_profile_id,
    ...(options.return_policy_id ? { return_policy_id: options.return_policy_id } : {}),
    ...packedFields(request),
    ...(material ? { materials: material } : {}),
  }
}

/** The material in the characters that Etsy takes; null where none is left. */
function materialOf({ attributes }: PublishRequest): string | null {
  const said = typeof attributes.material === 'string' ? attributes.material : ''
  const words = said
    .split(/[,;/&]/)
    .map((word) =>
      word
        .replace(/[^\p{L}\p{Nd}\p{Zs}]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 45),
    )
    .filter((word) => word !== '')
  return words.length > 0 ? [...new Set(words)].slice(0, 13).join(',') : null
}

/** Weight and parcel size, as far as they are known: a calculated shipping profile is refused without. */
function packedFields(request: PublishRequest): Record<string, string | number> {
  const { weight_grams, parcel } = packedOf(request)
  return {
    ...(weight_grams === null ? {} : { item_weight: weight_grams, item_weight_unit: 'g' }),
    ...(parcel === null
      ? {}
      : {
          item_length: parcel.length_mm,
          item_width: parcel.width_mm,
          item_height: parcel.height_mm,
          item_dimensions_unit: 'mm',
        }),
  }
}

function descriptionOf(request: PublishRequest): string {
  const text = plainText(request.description).trim() || request.title
  const notes = request.condition.notes.trim()
  return notes && !text.includes(notes)
    ? `${text}\n\nCondition: ${conditionInWords(request.condition.label)}. ${notes}`
    : text
}

/**
 * Sends a write; where Etsy refuses its `when_made`, sends it again with the values of the next and the last year, which
 * Etsy may still or already use around New Year.
 */
async function withEra<Answer>(options: Options, year: number, send: () => Promise<Answer>): Promise<Answer> {
  const eras = [options.when_made, ...neighbouringEras(options.when_made, year)]
  for (const [index, era] of eras.entries()) {
    options.when_made = era
    try {
      return await send()
    } catch (error) {
      const isOfEra = isOf(error, 'refused') && /when_?made/i.test((error as PlatformError).message)
      if (!isOfEra || index === eras.length - 1) throw error
    }
  }
  throw new Error('unreachable')
}

/** What marks a draft as ours; taken out when it goes up. */
const markOf = (key: string) => `[draft ${key}]`

/** One product, one unit, our key as its SKU. */
function inventoryOf(request: PublishRequest, options: Options): object {
  const price = Number(decimalFromMinor(request.price_minor, request.currency))
  const offering = { price, quantity: 1, is_enabled: true, readiness_state_id: Number(options.readiness_state_id) }
  return {
    products: [{ sku: request.externalKey, property_values: [], offerings: [offering] }],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  }
}

/** An inventory with another price, all else as it came; what only reads have is left out, as Etsy wants it. */
export function repriced(inventory: OwnInventory, price: string): object {
  return {
    products: inventory.products
      .filter((product) => !product.is_deleted)
      .map(({ sku, property_values, offerings }) => ({
        sku: sku ?? '',
        property_values: (property_values ?? []).map((value) => ({
          property_id: value.property_id,
          value_ids: value.value_ids ?? [],
          values: value.values ?? [],
          ...(value.scale_id == null ? {} : { scale_id: value.scale_id }),
          ...(value.property_name == null ? {} : { property_name: value.property_name }),
        })),
        offerings: offerings
          .filter((offering) => !offering.is_deleted)
          .map(({ quantity, is_enabled, readiness_state_id }) => ({
            price: Number(price),
            quantity,
            is_enabled: is_enabled ?? true,
            readiness_state_id: readiness_state_id ?? null,
          })),
      })),
    price_on_property: [],
    quantity_on_property: inventory.quantity_on_property ?? [],
    sku_on_property: inventory.sku_on_property ?? [],
    readiness_state_on_property: inventory.readiness_state_on_property ?? [],
  }
}

/** Whether buyers can buy it now (platforms 2.4). */
export function stateOf({ state, quantity }: Pick<OwnListing, 'state' | 'quantity'>): LiveState {
  if (state === 'active') return quantity === 0 ? 'sold' : 'live'
  if (state === 'sold_out') return 'sold'
  // "edit" is an old word for inactive; a state that is not known here is not taken for proof.
  return ['inactive', 'draft', 'expired', 'edit', 'removed', 'unavailable'].includes(state) ? 'ended' : 'live'
}

function wrongCurrency(ours: string, theirs: string): PlatformError {
  return new PlatformError('etsy', 'refused', `The shop on Etsy sells in ${theirs}, and the price is in ${ours}.`, {
    platformCode: 'currency',
  })
}

function isOf(error: unknown, failure: PlatformError['failure']): boolean {
  return error instanceof PlatformError && error.failure === failure
}
