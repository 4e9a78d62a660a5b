import { ok } from '#server/http/answers/replies.ts'
import type { Handlers } from '#server/http/mount.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { billing } from '#shared/contract/account/billing.ts'
import { findAddress, saveAddress } from './address.ts'
import { openCheckout } from './checkout.ts'
import { describePayments } from './payments.ts'
import { openPortal } from './portal.ts'
import { createPriceReader } from './read-price.ts'
import type { StripeFailure } from './stripe.ts'
import { findSubscriptionStatus } from './subscription-status.ts'

export function billingRoutes(services: Services): Handlers<typeof billing> {
  const { config, db } = services
  const readPrice = createPriceReader(services)
  return {
    getAddress: async (_input, { principal }) => ({ status: 200, body: await findAddress(db, principal.user_id) }),
    putAddress: ({ body }, { principal }) => ok(saveAddress(db, principal.user_id, body)),
    getSubscription: async (_input, { principal }) => {
      const status = await findSubscriptionStatus(db, config, principal.user_id)
      const payments = describePayments(status, config, services.now())
      return { status: 200, body: { ...status.subscription, price: await readPrice(), payments } }
    },
    openCheckout: async (_input, { principal }) => {
      const opened = await openCheckout(services, principal.user_id)
      if (opened.outcome === 'onward') return { status: 200, body: { url: opened.url } }
      if (opened.outcome === 'subscribed') throw problem('conflict', 'The account has a subscription already.')
      throw notOpened(opened.outcome)
    },
    openPortal: async (_input, { principal }) => {
      const opened = await openPortal(services, principal.user_id)
      if (opened.outcome === 'onward') return { status: 200, body: { url: opened.url } }
      if (opened.outcome === 'nothing') throw problem('conflict', 'The account never had a subscription at Stripe.')
      throw notOpened(opened.outcome)
    },
  }
}

/** Returns the error for a page of Stripe that did not open. `refused` is a fault of the server's, and was logged. */
function notOpened(outcome: StripeFailure | 'not_configured') {
  if (outcome === 'not_configured') return problem('conflict', 'This server takes no payments.')
  if (outcome === 'refused') {
    return problem('platform_failed', 'Stripe did not open its page. Nothing was paid. Tell whoever runs this server.')
  }
  const detail = 'Stripe does not answer. Nothing was paid, and nothing was changed. Wait a minute, then try again.'
  return problem('unavailable', detail, { retryAfterSeconds: 30 })
}
