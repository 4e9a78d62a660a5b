import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { billing } from '#shared/contract/billing.ts'
import { findAddress, saveAddress } from './address.ts'
import { createPriceReader } from './read-price.ts'
import { findSubscription } from './subscription.ts'

export function billingRoutes(services: Services): Handlers<typeof billing> {
  const { config, db } = services
  const readPrice = createPriceReader(services)
  return {
    getAddress: async (_input, { principal }) => ({ status: 200, body: await findAddress(db, principal.user_id) }),
    putAddress: async ({ body }, { principal }) => ({
      status: 200,
      body: await saveAddress(db, principal.user_id, body),
    }),
    getSubscription: async (_input, { principal }) => ({
      status: 200,
      body: { ...(await findSubscription(db, config, principal.user_id)), price: await readPrice() },
    }),
  }
}
