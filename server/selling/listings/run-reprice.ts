import { sql } from '#server/infra/db/index.ts'
import type { Hold } from './hold.ts'

const keepPrice = sql(import.meta.url, './sql/keep-price.sql')
const findOwn = sql(import.meta.url, './sql/find-listing-to-price.sql')

/**
 * Changes the price of a live listing. The same price again changes nothing, so that a lost attempt is simply repeated.
 * One that is outdated, or whose listing never went up, ends without a word.
 */
export async function runReprice(hold: Hold): Promise<void> {
  const { intent, services } = hold
  const { price_minor, currency } = intent
  if (price_minor === null || currency === null) throw new Error('a price intent lacks its price')
  const listing = intent.is_cancelled ? null : await findListing(hold)
  if (!listing) {
    await hold.finish(services.db, { state: 'cancelled' })
    return
  }
  const { listing_id, external_key: externalKey } = listing
  await hold.step('change-price')
  await hold.onPlatform((port, access) => port.changePrice(access, { listing_id, externalKey, price_minor, currency }))
  await hold.pass('price-changed')
  await services.db.tx('price-changed', async (tx) => {
    await hold.accept(tx)
    await hold.finish(tx, { state: 'done', confirmed: true })
    await tx.none(keepPrice, { ...intent, listing_id })
  })
}

async function findListing({
  intent,
  services,
}: Hold): Promise<{ listing_id: string; external_key: string | null } | null> {
  const { listing_id, external_key } = intent
  return listing_id === null ? services.db.oneOrNone(findOwn, intent) : { listing_id, external_key }
}
