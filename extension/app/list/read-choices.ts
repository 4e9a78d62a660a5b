import type { OperationRequest } from '#extension/messaging/operations.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { call } from '../host.ts'

/** Returns the choices for listing an item, as those that were made before determine them. */
export async function choicesOf(uid: string, slug: OAuthSlug, chosen: OperationRequest<'listingChoices'>['query']) {
  return (await call('listingChoices', { params: { uid, slug }, query: chosen })).choices
}

/** Returns categories of a marketplace for a search. */
export async function searchCategories(
  slug: OAuthSlug,
  words: string,
  chosen: { marketplace_id?: string | undefined; seller_account_uid?: string | undefined },
) {
  return (await call('searchCategories', { params: { slug }, query: { ...chosen, q: words } })).results
}
