import { sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { type CustomerHint, type ReportedSubscription, readEvent } from './stripe-events.ts'

/** Reads a subscription's current state from Stripe; null if that is impossible. */
export type ReadSubscription = (reported: ReportedSubscription) => Promise<ReportedSubscription | null>

const linkCustomer = sql(import.meta.url, './sql/link-customer.sql')
const findByEmail = sql(import.meta.url, './sql/find-user-by-verified-email.sql')
const storeUnclaimed = sql(import.meta.url, './sql/store-unclaimed.sql')
const storeSubscription = sql(import.meta.url, './sql/store-subscription.sql')

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
  await db.tx('stripe-event', async (tx) => {
    if (customer) {
      const user_id = customer.user_id ?? (await userOf(customer))
      if (user_id === null && customer.email !== null) {
        await tx.none(storeUnclaimed, customer)
        log.info(
          { customer_id: customer.customer_id },
          'a paying customer of Stripe waits for a proof of their address',
        )
      } else if (user_id === null || !(await tx.oneOrNone(linkCustomer, { ...customer, user_id }))) {
        log.warn({ customer_id: customer.customer_id }, 'a paying customer of Stripe is no account, or known already')
      }
    }
    if (subscription) await tx.oneOrNone(storeSubscription, subscription)

    async function userOf({ email }: CustomerHint): Promise<number | null> {
      const row = email && (await tx.oneOrNone<{ user_id: number }>(findByEmail, { email }))
      return row ? row.user_id : null
    }
  })
  return true
}

const idOf = (event: unknown) => (event as { id?: unknown } | null)?.id
