import type { Services } from '#server/services.ts'
import { describeFailure, failureOf, openStripe, type StripeFailure } from './stripe.ts'
import { findSubscriptionStatus } from './subscription-status.ts'

type PortalOutcome = { outcome: 'onward'; url: string } | { outcome: StripeFailure | 'not_configured' | 'nothing' }

/** Opens Stripe's page for card, invoices and cancellation; `nothing` if the seller never had a subscription there. */
export async function openPortal(
  services: Pick<Services, 'config' | 'db' | 'fetch' | 'log'>,
  user_id: number,
): Promise<PortalOutcome> {
  const { config, db, log } = services
  const stripe = await openStripe(services)
  if (!stripe) return { outcome: 'not_configured' }
  const { stripe: subscription } = await findSubscriptionStatus(db, config, user_id)
  if (!subscription) return { outcome: 'nothing' }
  try {
    const { url } = await stripe.billingPortal.sessions.create({
      customer: subscription.customer_id,
      return_url: `${config.PUBLIC_URL}/connect/subscription/back/`,
    })
    return { outcome: 'onward', url }
  } catch (error) {
    const failure = failureOf(error)
    log[failure === 'refused' ? 'error' : 'warn'](describeFailure(error), 'the billing portal of Stripe was not opened')
    return { outcome: failure }
  }
}
