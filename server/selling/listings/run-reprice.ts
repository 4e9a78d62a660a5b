import { sql } from '#server/infra/db/index.ts'
import type { LeasedOperation } from './leased-operation.ts'
import { emitListingEvent } from './listing-events.ts'

const storePrice = sql(import.meta.url, './sql/store-price.sql')
const findOwn = sql(import.meta.url, './sql/find-listing-to-price.sql')

/**
 * Changes the price of a live listing. Repeating it is harmless, so a lost attempt simply runs again. An outdated
 * operation, or one whose listing was never published, ends silently.
 */
export async function runReprice(leased: LeasedOperation): Promise<void> {
  const { operation, services } = leased
  const { price_minor, currency } = operation
  if (price_minor === null || currency === null) throw new Error('a reprice operation lacks its price')
  const listing = operation.is_cancelled ? null : await findListing(leased)
  if (!listing) {
    await leased.finish(services.db, { state: 'cancelled' })
    return
  }
  const { listing_id, external_key: externalKey } = listing
  await leased.step('change-price')
  await leased.onPlatform((port, access) =>
    port.changePrice(access, { listing_id, externalKey, price_minor, currency }),
  )
  await leased.checkpoint('price-changed')
  await services.db.tx('price-changed', async (tx) => {
    await leased.accept(tx)
    await leased.finish(tx, { state: 'done', confirmed: true })
    await tx.none(storePrice, { ...operation, listing_id })
    await emitListingEvent(tx, 'listing.updated', { ...operation, listing_id })
  })
}

async function findListing({
  operation,
  services,
}: LeasedOperation): Promise<{ listing_id: string; external_key: string | null } | null> {
  const { listing_id, external_key } = operation
  return listing_id === null ? services.db.oneOrNone(findOwn, operation) : { listing_id, external_key }
}
