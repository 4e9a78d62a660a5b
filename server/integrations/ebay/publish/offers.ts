import { isFailure } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import { faultsIn } from '#server/integrations/refusal.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { errorOfAnswer } from '../errors.ts'
import { languageOf } from '../marketplaces.ts'
import { hasFault, type Rest } from '../rest.ts'
import type { OfferBody } from './listing-body.ts'
import { BulkPriceAnswer, Offer, OfferAnswer, OffersAnswer, PublishAnswer, StoredOffer } from './offer-wire.ts'

/** "A user error has occurred"; the parameters name it. */
export const userError = 25002
const offerGone = 25713

export type { Offer }
export interface OfferPrice {
  price_minor: number
  currency: string
}
type LiveOffer = Offer & { listing: { listingId: string } }

/** Creates a client for offers of the Inventory API. A SKU has one offer per site, and an offer has one listing. */
export function createOffers(rest: Rest) {
  /** Reads every offer of a SKU; none for a SKU that eBay does not know. */
  async function readAll(access: ShopAccess, sku: string, language?: string): Promise<Offer[]> {
    try {
      const answer = await rest({
        ...authOf(access),
        language,
        call: 'the offers of an item',
        method: 'GET',
        path: `/sell/inventory/v1/offer?sku=${encodeURIComponent(sku)}`,
        schema: OffersAnswer,
      })
      return answer?.offers ?? []
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
  }

  async function read(access: ShopAccess, offerId: string, language: string): Promise<Offer | null> {
    try {
      const answer = await rest({
        ...authOf(access),
        language,
        call: 'the offer',
        method: 'GET',
        path: offerPath(offerId),
        schema: Offer,
      })
      return answer ?? null
    } catch (error) {
      if (isGone(error)) return null
      throw error
    }
  }

  async function update(access: ShopAccess, offer: Offer, body: OfferBody, language: string): Promise<Offer> {
    const { sku: _sku, marketplaceId: _site, format: _format, ...changes } = body
    await rest({
      ...authOf(access),
      language,
      call: 'the offer',
      method: 'PUT',
      path: offerPath(offer.offerId),
      body: changes,
    })
    return (await read(access, offer.offerId, language)) ?? offer
  }

  /** Creates an offer, or returns the id of the one that a concurrent attempt created. */
  async function create(access: ShopAccess, body: OfferBody, language: string): Promise<Offer & { isNew: boolean }> {
    try {
      const answer = await rest({
        ...authOf(access),
        language,
        call: 'the new offer',
        method: 'POST',
        path: '/sell/inventory/v1/offer',
        body,
        schema: OfferAnswer,
      })
      return { offerId: answer?.offerId ?? '', isNew: true }
    } catch (error) {
      // The message is in the site's language, so only the error id and the parameter are read.
      const existing = hasFault(error, userError)
        ? error.faults.flatMap((fault) => fault.parameters ?? []).find(({ name }) => name === 'offerId')
        : undefined
      if (!existing) throw error
      return { offerId: existing.value, isNew: false }
    }
  }

  return {
    readAll,
    read,

    /** Creates the offer of a SKU and site, or updates the existing one to `body`. */
    async put(access: ShopAccess, body: OfferBody, language: string): Promise<Offer> {
      const offers = await readAll(access, body.sku, language)
      const known = offers.find((one) => one.marketplaceId === body.marketplaceId && one.format === body.format)
      if (known) return update(access, known, body, language)
      const { isNew, ...created } = await create(access, body, language)
      return isNew ? created : update(access, created, body, language)
    },

    /** Publishes an offer and returns the id of its listing. */
    async publish(access: ShopAccess, offerId: string, language: string): Promise<string> {
      const answer = await rest({
        ...authOf(access),
        language,
        call: 'the publication of the offer',
        method: 'POST',
        path: `${offerPath(offerId)}/publish`,
        schema: PublishAnswer,
      })
      return answer?.listingId ?? ''
    },

    /** Withdraws an offer, which ends its listing. An offer that is gone is success. */
    async withdraw(access: ShopAccess, offer: Offer): Promise<void> {
      try {
        await rest({
          ...authOf(access),
          language: languageOf(offer.marketplaceId),
          call: 'the withdrawal of the offer',
          method: 'POST',
          path: `${offerPath(offer.offerId)}/withdraw`,
        })
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },

    async remove(access: ShopAccess, offer: Offer): Promise<void> {
      await rest({
        ...authOf(access),
        language: languageOf(offer.marketplaceId),
        call: 'the removal of the offer',
        method: 'DELETE',
        path: offerPath(offer.offerId),
      })
    },

    ...offerChanges(rest),
  }
}
export type Offers = ReturnType<typeof createOffers>

/** Changes what a live listing shows. */
function offerChanges(rest: Rest) {
  return {
    /**
     * Changes the description of an offer. eBay replaces the whole offer, so it is read and sent back. `price`: one that
     * was just sent, because eBay's reads may be behind.
     */
    async changeDescription(
      access: ShopAccess,
      offer: Offer,
      {
        listingDescription,
        price,
        language,
      }: { listingDescription: string; price: OfferPrice | null; language: string },
    ): Promise<void> {
      const call = {
        ...authOf(access),
        language,
        call: 'the offer',
        path: offerPath(offer.offerId),
      }
      const stored = StoredOffer.parse(await rest({ ...call, method: 'GET', schema: StoredOffer }))
      const kept = Object.entries(stored).filter(([name]) => !readOnlyMembers.includes(name))
      const pricingSummary = { ...Object(stored.pricingSummary), ...(price ? { price: amountOf(price) } : {}) }
      await rest({ ...call, method: 'PUT', body: { ...Object.fromEntries(kept), listingDescription, pricingSummary } })
    },

    /** Changes an offer's price. eBay reports a refusal inside a successful answer. */
    async changePrice(
      access: ShopAccess,
      offer: Offer,
      { sku, ...changed }: OfferPrice & { sku: string },
    ): Promise<void> {
      const price = amountOf(changed)
      const answer = await rest({
        ...authOf(access),
        language: languageOf(offer.marketplaceId),
        call: 'the new price',
        method: 'POST',
        path: '/sell/inventory/v1/bulk_update_price_quantity',
        body: { requests: [{ sku, offers: [{ offerId: offer.offerId, price }] }] },
        schema: BulkPriceAnswer,
      })
      const failed = answer?.responses.find((one) => (one.errors?.length ?? 0) > 0 || (one.statusCode ?? 200) >= 400)
      if (!failed) return
      const status = Math.max(failed.statusCode ?? 0, 400)
      throw errorOfAnswer('the new price', { status, headers: new Headers(), text: '' }, faultsIn(failed.errors))
    },
  }
}

/** Members of an offer that eBay returns and does not accept in an update. */
const readOnlyMembers = ['offerId', 'sku', 'marketplaceId', 'format', 'status', 'listing']

const amountOf = ({ price_minor, currency }: OfferPrice) => ({
  value: decimalFromMinor(price_minor, currency),
  currency,
})

/** Returns true if the offer is published and its listing is for sale, or will be again once eBay takes it off hold. */
export function isLive(offer: Offer): offer is LiveOffer {
  const status = offer.listing?.listingOnHold ? undefined : offer.listing?.listingStatus
  return (
    offer.status === 'PUBLISHED' && Boolean(offer.listing?.listingId) && (status === undefined || status === 'ACTIVE')
  )
}

const offerPath = (offerId: string) => `/sell/inventory/v1/offer/${encodeURIComponent(offerId)}`

const authOf = ({ accessToken, signal }: ShopAccess) => ({ accessToken, signal })

const isGone = (error: unknown) => hasFault(error, offerGone) || isFailure(error, 'not_found')
