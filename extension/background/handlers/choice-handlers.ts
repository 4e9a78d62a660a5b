import { getListingDefaults, ListingOptions, putListingDefaults } from '#shared/contract/selling/listings.ts'
import { openCall, type WorkerContext } from '../context.ts'
import type { PopupHandlers } from './answer-page.ts'

/** Handlers for the defaults of later listings. */
export function choiceHandlers(context: WorkerContext): Pick<PopupHandlers, 'choices.keep'> {
  return {
    async 'choices.keep'({ platform, options }) {
      const call = await openCall(context)
      const params = { slug: platform }
      const before = await call(getListingDefaults, { params })
      const after = Object.entries({ ...before, ...options }).filter(([, value]) => value !== null)
      return call(putListingDefaults, { params, body: ListingOptions.parse(Object.fromEntries(after)) })
    },
  }
}
