import { sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { type CustomerHint, readEvent, type ToldSubscription } from './stripe-events.ts'

/** Asks Stripe how a subscription stands now; null where it cannot be asked. */
export type AskStripe = (told: ToldSubscription) => Promise<ToldSubscription | null>

const linkCustomer = sql(import.meta.url, './sql/link-customer.sql')
const findByEmail = sql(import.meta.url, './sql/find-user-by-verified-email.sql')
const keepUnclaimed = sql(import.meta.url, './sql/store-unclaimed.sql')
const keepSubscription = sql(import.meta.url, './sql/store-subscription.sql')

/**
 * Takes in an event of Stripe's whose signature was checked (decisions 8), in one transaction. Events come in any order
 * and more than once: each leaves what it knows, the newest word about a subscription stands. Answers whether it meant
 * anything to us.
 */
export async function takeStripeEvent(
  { db, log }: Pick<Services, 'db' | 'log'>,
  event: unknown,
  ask: AskStripe = async () => null,
): Promise<boolean> {
  const meaning = readEvent(event)
  if (!meaning) {
    log.warn({ stripe_event: idOf(event) }, 'an event of Stripe is not understood')
    return false
  }
  const { customer } = meaning
  if (!customer && !meaning.subscription) return false
  // Events of one second have no order: where Stripe can be asked, its present word counts.
  const subscription = meaning.subscription && ((await ask(meaning.subscription)) ?? meaning.subscription)
  await db.tx('stripe-event', async (tx) => {
    if (customer) {
      const user_id = customer.user_id ?? (await userOf(customer))
      if (user_id === null && customer.email !== null) {
        await tx.none(keepUnclaimed, customer)
        log.info(
          { customer_id: customer.customer_id },
          'a paying customer of Stripe waits for a proof of their address',
        )
      } else if (user_id === null || !(await tx.oneOrNone(linkCustomer, { ...customer, user_id }))) {
        log.warn({ customer_id: customer.customer_id }, 'a paying customer of Stripe is no account, or known already')
      }
    }
    if (subscription) await tx.oneOrNone(keepSubscription, subscription)

    async function userOf({ email }: CustomerHint): Promise<number | null> {
      const row = email && (await tx.oneOrNone<{ user_id: number }>(findByEmail, { email }))
      return row ? row.user_id : null
    }
  })
  return true
}

const idOf = (event: unknown) => (event as { id?: unknown } | null)?.id
