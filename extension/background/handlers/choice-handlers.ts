import { listSellerAccounts } from '#shared/contract/connections.ts'
import {
  getListingDefaults,
  ListingOptions,
  listItem,
  listingChoices,
  putListingDefaults,
  searchCategories,
  shopChoices,
} from '#shared/contract/listings.ts'
import { bulkPreflight, preflightRequest } from '#shared/contract/preflight.ts'
import { dismissUnanswered, listUnanswered } from '#shared/contract/unanswered.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer.ts'

type ChoiceHandlers = Pick<
  PopupHandlers,
  | 'choices.ofItem'
  | 'choices.ofShop'
  | 'choices.categories'
  | 'choices.shops'
  | 'choices.keep'
  | 'inventory.list'
  | 'preflight.ofItem'
  | 'preflight.ofMany'
  | 'unanswered.list'
  | 'unanswered.dismiss'
>

/** Handlers for listing choices: for one item, and as defaults of a shop. */
export function choiceHandlers(context: WorkerContext): ChoiceHandlers {
  return {
    async 'choices.ofItem'({ uid, platform, chosen }) {
      const call = await openCall(context)
      return (await call(listingChoices, { params: { uid, slug: platform }, query: chosen })).choices
    },

    async 'choices.ofShop'({ platform, chosen }) {
      const call = await openCall(context)
      const params = { slug: platform }
      const [{ choices }, kept] = await Promise.all([
        call(shopChoices, { params, query: chosen }),
        call(getListingDefaults, { params }),
      ])
      return { choices, kept }
    },

    async 'choices.categories'({ platform, words, chosen }) {
      const call = await openCall(context)
      const query = { ...chosen, q: words }
      return (await call(searchCategories, { params: { slug: platform }, query })).results
    },

    async 'choices.shops'({ platform }) {
      const accounts = await (await openCall(context))(listSellerAccounts, {})
      return accounts
        .filter((one) => one.platform === platform && one.status === 'connected')
        .map(({ uid, external_name }) => ({ uid, name: external_name }))
    },

    async 'choices.keep'({ platform, options }) {
      const call = await openCall(context)
      const params = { slug: platform }
      const before = await call(getListingDefaults, { params })
      const after = Object.entries({ ...before, ...options }).filter(([, value]) => value !== null)
      return call(putListingDefaults, { params, body: ListingOptions.parse(Object.fromEntries(after)) })
    },

    async 'preflight.ofItem'({ uid, platform, ...body }) {
      const call = await openCall(context)
      return call(preflightRequest, { params: { uid, slug: platform }, body })
    },

    async 'preflight.ofMany'(body) {
      const call = await openCall(context)
      return (await call(bulkPreflight, { body })).results
    },

    async 'unanswered.list'({ platform, page }) {
      const call = await openCall(context)
      return call(listUnanswered, { query: { platform, page: String(page), page_size: '100' } })
    },

    async 'unanswered.dismiss'({ platform }) {
      const call = await openCall(context)
      await call(dismissUnanswered, { body: { platform } })
      return null
    },

    // Safe to repeat: the server returns the live listing.
    async 'inventory.list'({ uid, platform, ...body }) {
      const call = await openCall(context)
      return call(listItem, { params: { uid, slug: platform }, body })
    },
  }
}
