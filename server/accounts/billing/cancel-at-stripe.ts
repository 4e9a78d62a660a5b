import type Stripe from 'stripe'
import type { Queries } from '#server/infra/db/index.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { isMissing, openStripe } from './stripe.ts'
import { isOpenAtStripe } from './subscription-status.ts'

const queue = 'stripe-end'

interface Ended {
  customer_ids: string[]
  session_id: string | null
}

/**
 * Enqueues the cancellation at Stripe in the transaction that closes an account, since nobody could sign in to cancel
 * later. Without access to Stripe, the operator must cancel.
 */
export async function enqueueCancellation(
  { config, jobs }: Services,
  queries: Queries,
  user_id: number,
): Promise<void> {
  const ended = await queries.one(sql.listStripeCustomers({ user_id }))
  if (ended.customer_ids.length === 0 || !config.STRIPE_SECRET_KEY) return
  await jobs.send(queries, queue, ended)
}

export function stripeJobs(services: Services): JobKind<Ended>[] {
  return [
    {
      queue,
      concurrency: 1,
      retryLimit: 20,
      retryDelaySeconds: 30,
      longestRetryDelaySeconds: 6 * 3600,
      heartbeatSeconds: 20,
      expireInSeconds: 120,
      async run({ customer_ids, session_id }) {
        const stripe = await openStripe(services)
        if (!stripe) throw new Error('STRIPE_SECRET_KEY was taken away: a closed account is still charged')
        // Close the open page first, so that no subscription begins after the cancellation.
        if (session_id !== null) await closePage(stripe, session_id)
        for (const customer of customer_ids) await cancelAll(stripe, customer)
      },
    },
  ]
}

async function closePage(stripe: Stripe, id: string): Promise<void> {
  const session = await stripe.checkout.sessions.retrieve(id).catch(nullIfMissing)
  if (session?.status === 'open') await stripe.checkout.sessions.expire(id)
}

async function cancelAll(stripe: Stripe, customer: string): Promise<void> {
  const list = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).catch(nullIfMissing)
  for (const one of list?.data ?? []) {
    if (isOpenAtStripe(one)) await stripe.subscriptions.cancel(one.id).catch(nullIfMissing)
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}
