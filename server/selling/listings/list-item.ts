import { transaction } from '#server/infra/db/transaction.ts'
import { type HttpProblem, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { type ErrorCode, errorCodes } from '#shared/contract/declaring/errors.ts'
import type { ListingOptions, ListingResult } from '#shared/contract/selling/listings.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { awaitOutcome } from './await-outcome.ts'
import { openListTask } from './open-list-task.ts'
import { choiceErrors, namesOfChoiceMessage } from './operations/choose-options.ts'
import { queueListing } from './operations/queue-listing.ts'
import { findTarget, requireSeller, requireShop } from './preflight/prerequisites.ts'
import { listingPrice } from './preflight/price-rules.ts'
import * as sql from './queries.ts'
import { saveItemDetails } from './save-item-details.ts'

interface ListRequest {
  user_id: number
  params: { uid: string; slug: string }
  /** Default: the item's price by the platform's rule. */
  price?: string
  options?: ListingOptions
  seller_account_uid?: string
}

interface ListAnswer {
  /** 202: the work goes on. */
  status: 200 | 202
  body: ListingResult
}

/**
 * Lists an item on a platform. Checks in order: 404, 402, 400, 409. Answers with the live listing if there
 * is one, else queues the listing and waits some seconds for the worker. Opens a task where only the seller can list.
 * Throws the platform's refusal.
 */
export async function listItem(services: Services, request: ListRequest): Promise<ListAnswer> {
  const { user_id } = request
  const { item, platform } = await findTarget(services.db, user_id, request.params)
  const price_minor = await listingPrice(services.db, user_id, item, {
    platform: platform.slug,
    price: request.price ?? null,
  })
  await requireSeller(services, user_id)
  const shop =
    platform.capabilities.list === 'api'
      ? await requireShop(services, user_id, platform.slug, request.seller_account_uid)
      : null
  if (item.state !== 'available') throw problem('not_available', `The item is ${item.state}.`)
  const live = await services.db.oneOrNone(
    (shop ? sql.findCurrentListing : sql.findLiveListing)({
      user_id,
      item_uid: item.uid,
      platform: platform.slug,
    }),
  )
  if (live) return { status: 200, body: { status: 'listed', listing_id: live.listing_id, listing_url: live.url } }
  if (!shop) {
    const asked = { user_id, item, platform: platform.slug as ExtensionSlug, price_minor, cause: 'user' } as const
    const listing_url = await transaction(services.db, 'open-list-task', (tx) => openListTask(tx, asked))
    return { status: 200, body: { status: 'manual', listing_id: '', listing_url } }
  }
  const { id } = await transaction(services.db, 'queue-listing', async (tx) => {
    const ordered = await queueListing(tx, {
      user_id,
      item,
      platform: platform.slug,
      seller_account_uid: shop.uid,
      price_minor,
      options: request.options ?? {},
      // Policies of one named shop are no default for the others.
      options_to_remember: request.seller_account_uid ? undefined : request.options,
      cause: 'user',
      cause_ref: null,
    })
    await saveItemDetails(tx, { user_id, item_uid: item.uid }, request.options ?? {})
    return ordered
  })
  const answer = await awaitOutcome(() => outcomeOf(services, { user_id, id }), services.times.listingOutcomeMs)
  return answer ?? { status: 202, body: { status: 'pending', listing_id: '', listing_url: '' } }
}

interface Outcome {
  state: 'open' | 'done' | 'failed' | 'cancelled'
  is_accepted: boolean
  is_cancelled: boolean
  listing_id: string | null
  listing_url: string | null
  error_code: string | null
  error_message: string | null
}

/** Returns the answer of an operation, null while there is none. Throws the failure of a failed one. */
async function outcomeOf({ db }: Services, key: { user_id: number; id: string }): Promise<ListAnswer | null> {
  const outcome = await db.one(sql.findOutcome(key))
  if (outcome.is_accepted && outcome.listing_id) {
    const { listing_id, listing_url } = outcome
    return { status: 200, body: { status: 'listed', listing_id, listing_url: listing_url ?? '' } }
  }
  // It has failed, and only a listing it may have left is still looked for: the answer is known.
  if (outcome.error_code && (outcome.state !== 'open' || outcome.is_cancelled)) throw problemOf(outcome)
  if (outcome.state !== 'open') throw problem('not_available')
  return null
}

/** Returns the problem that a failed operation ended with. */
export function problemOf({ error_code, error_message }: Pick<Outcome, 'error_code' | 'error_message'>): HttpProblem {
  const code = errorCodes.find((known) => known === error_code) ?? ('platform_failed' satisfies ErrorCode)
  const errors = code === 'choice_required' ? choiceErrors(namesOfChoiceMessage(error_message ?? '')) : undefined
  return problem(code, error_message ?? undefined, { errors })
}
