import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { type CustomerHint, type ReportedSubscription, readEvent } from './stripe-events.ts'

/** Reads a subscription's current state from Stripe; null if that is impossible. */
export type ReadSubscription = (reported: ReportedSubscription) => Promise<ReportedSubscription | null>

/**
 * Applies a verified event in one transaction. Events may be reordered and repeated: the newest report of a
 * subscription wins. Returns whether the event was relevant.
 */
export async function applyStripeEvent(
  { db, log }: Pick<Services, 'db' | 'log'>,
  event: unknown,
  ask: ReadSubscription = async () => null,
): Promise<boolean> {
  const meaning = readEvent(event)
  if (!meaning) {
    log.warn({ stripe_event: idOf(event) }, 'an event of Stripe is not understood')
    return false
  }
  const { customer } = meaning
  if (!customer && !meaning.subscription) return false
  // Events of one second have no order, so prefer Stripe's current state.
  const subscription = meaning.subscription && ((await ask(meaning.subscription)) ?? meaning.subscription)
  await transaction(db, 'apply-stripe-event', async (tx) => {
    if (customer) {
      const user_id = customer.user_id ?? (await userOf(customer))
      if (user_id === null && customer.email !== null) {
        await tx.none(sql.storeUnclaimed(customer))
        log.info(
          { customer_id: customer.customer_id },
          'a paying customer of Stripe waits for a proof of their address',
        )
      } else if (user_id === null || !(await tx.oneOrNone(sql.linkCustomer({ ...customer, user_id })))) {
        log.warn({ customer_id: customer.customer_id }, 'a paying customer of Stripe is no account, or known already')
      }
    }
    if (subscription) await tx.oneOrNone(sql.storeSubscription(subscription))

    async function userOf({ email }: CustomerHint): Promise<number | null> {
      const row = email && (await tx.oneOrNone(sql.findUserByVerifiedEmail({ email })))
      return row ? row.user_id : null
    }
  })
  return true
}

const idOf = (event: unknown) => (event as { id?: unknown } | null)?.id
