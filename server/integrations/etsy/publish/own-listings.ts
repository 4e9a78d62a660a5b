import { z } from 'zod'
import { isFailure } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import type { Form } from './listing-body.ts'
import {
  Images,
  OwnInventory,
  OwnListing,
  OwnListings,
  type RawListing,
  type StoredImage,
  UploadedImage,
} from './selling-wire.ts'

/** Number of pages of newest listings to search for a listing that an interrupted attempt created. */
const pagesToSearch = 3

/** Etsy's operations on the seller's own listings. */
export function createOwnListings(etsy: Etsy) {
  const shopPath = ({ shop }: ShopAccess) => `/shops/${encodeURIComponent(shop.external_id)}`
  const listingPath = (listingId: string) => `/listings/${encodeURIComponent(listingId)}`

  return {
    read: (access: ShopAccess, listingId: string): Promise<OwnListing> =>
      etsy({ ...authOf(access), call: 'the listing', path: listingPath(listingId) }, OwnListing),

    /** Returns null for a listing that Etsy does not show, which may be a new one. */
    readIfShown(access: ShopAccess, listingId: string): Promise<OwnListing | null> {
      return this.read(access, listingId).catch((error: unknown) => {
        if (isFailure(error, 'not_found')) return null
        throw error
      })
    },

    /**
     * Returns the newest listing of a state that `matches`; null if the first pages have none. Others may be odd. Reads
     * the one that matches again if it is, so that its error names it: another listing would be the item's second.
     */
    async findNewest(
      access: ShopAccess,
      state: 'draft' | 'active',
      matches: (listing: RawListing) => boolean,
    ): Promise<OwnListing | null> {
      for (let page = 0; page < pagesToSearch; page++) {
        const { count, results } = await etsy(
          {
            ...authOf(access),
            call: 'the newest listings',
            path: `${shopPath(access)}/listings`,
            query: { state, limit: 100, offset: page * 100 },
          },
          OwnListings,
        )
        const found = results.find(matches)
        if (found) return OwnListing.safeParse(found).data ?? this.read(access, String(found.listing_id))
        if (count <= (page + 1) * 100) return null
      }
      return null
    },

    createDraft: (access: ShopAccess, form: Form): Promise<OwnListing> =>
      etsy(
        {
          ...authOf(access),
          call: 'the new listing',
          method: 'POST',
          path: `${shopPath(access)}/listings`,
          body: { form },
        },
        OwnListing,
      ),

    /**
     * Changes fields of a listing; `call` names the change in errors. Reads the listing before, unless it is given, since a
     * digital one must be named as such. Null: it cannot be read yet.
     */
    async update(
      access: ShopAccess,
      listingId: string,
      call: string,
      form: Form,
      listing?: OwnListing | null,
    ): Promise<OwnListing> {
      const known = listing === undefined ? await this.readIfShown(access, listingId) : listing
      const path = `${shopPath(access)}${listingPath(listingId)}`
      const body = { form: { ...digitalKindOf(known), ...form } }
      return etsy({ ...authOf(access), call, method: 'PATCH', path, body }, OwnListing)
    },

    /** Sets a property of the listing's category. */
    async updateProperty(
      access: ShopAccess,
      listingId: string,
      { id, name, form }: { id: number; name: string; form: Form },
    ): Promise<void> {
      await etsy(
        {
          ...authOf(access),
          call: `the property “${name}”`,
          method: 'PUT',
          path: `${shopPath(access)}${listingPath(listingId)}/properties/${id}`,
          body: { form },
        },
        z.unknown(),
      )
    },

    async removeDraft(access: ShopAccess, listingId: string): Promise<void> {
      await etsy(
        { ...authOf(access), call: 'the removal of the draft', method: 'DELETE', path: listingPath(listingId) },
        z.unknown(),
      )
    },

    readInventory: (access: ShopAccess, listingId: string): Promise<OwnInventory> =>
      etsy({ ...authOf(access), call: 'the inventory', path: `${listingPath(listingId)}/inventory` }, OwnInventory),

    async writeInventory(access: ShopAccess, listingId: string, call: string, inventory: object): Promise<void> {
      await etsy(
        {
          ...authOf(access),
          call,
          method: 'PUT',
          path: `${listingPath(listingId)}/inventory`,
          // Without it Etsy refuses a listing of three variations (developers.etsy.com, "Third Variation Tutorial").
          query: { max_variations_supported: 3 },
          body: { json: inventory },
        },
        z.unknown(),
      )
    },

    /** Returns the images in their order; none for a listing that Etsy does not show yet. */
    async readImages(access: ShopAccess, listingId: string): Promise<StoredImage[]> {
      try {
        const path = `${listingPath(listingId)}/images`
        const { results } = await etsy({ ...authOf(access), call: 'the images', path }, Images)
        return results.sort((one, other) => one.rank - other.rank)
      } catch (error) {
        if (isFailure(error, 'not_found')) return []
        throw error
      }
    },

    /** Uploads an image at its rank, in place of one that is there. */
    async uploadImage(
      access: ShopAccess,
      listingId: string,
      { bytes, type, rank }: { bytes: Uint8Array; type: string; rank: number },
    ): Promise<z.output<typeof UploadedImage>> {
      const parts = new FormData()
      parts.set('image', new Blob([new Uint8Array(bytes)], { type }), `picture-${rank}.${type.slice(6)}`)
      parts.set('rank', String(rank))
      parts.set('overwrite', 'true')
      return etsy(
        {
          ...authOf(access),
          call: `picture ${rank}`,
          method: 'POST',
          path: `${shopPath(access)}${listingPath(listingId)}/images`,
          body: { parts },
        },
        UploadedImage,
      )
    },
  }
}
export type OwnListingsApi = ReturnType<typeof createOwnListings>

const authOf = ({ accessToken, signal }: ShopAccess) => ({ accessToken, signal })

/**
 * Returns the fields that keep a digital listing what it is: Etsy fails without its type, and makes an instant download of
 * one made to order whose era is left out (github.com/etsy/open-api, issues 462 and 585). Nothing for others.
 */
function digitalKindOf(listing: OwnListing | null): Form {
  if (listing?.listing_type !== 'download' && listing?.listing_type !== 'both') return {}
  const { listing_type: type, who_made, when_made, is_supply } = listing
  const isMadeToOrder = when_made === 'made_to_order' && who_made
  return { type, ...(isMadeToOrder ? { who_made, when_made, is_supply: is_supply ?? false } : {}) }
}
