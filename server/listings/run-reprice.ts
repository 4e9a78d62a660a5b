import { sql } from '#server/db/index.ts'
import type { Hold } from './hold.ts'

const keepPrice = sql(import.meta.url, './sql/keep-price.sql')

/** Changes the price of a live listing. The same price again changes nothing, so that a lost attempt is simply repeated. */
export async function runReprice(hold: Hold): Promise<void> {
  const { intent, services } = hold
  const { listing_id, price_minor, currency, external_key: externalKey } = intent
  if (listing_id === null || price_minor === null || currency === null)
    throw new Error('a price intent lacks its price')
  await hold.step('change-price')
  await hold.onPlatform((port, access) => port.changePrice(access, { listing_id, externalKey, price_minor, currency }))
  await hold.pass('price-changed')
  await services.db.tx('price-changed', async (tx) => {
    await hold.accept(tx)
    await hold.finish(tx, { state: 'done', confirmed: true })
    await tx.none(keepPrice, intent)
  })
}
