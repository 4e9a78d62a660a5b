import type { Queries } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Address } from '#shared/contract/account/billing.ts'
import { isCountry } from '#shared/countries.ts'
import * as sql from './queries.ts'

/** Returns the user's primary address; null without one. */
export async function findAddress(queries: Queries, user_id: number): Promise<Address | null> {
  const row = await queries.oneOrNone(sql.getAddress({ user_id }))
  return row && (Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Address)
}

/** Sets the primary address and returns it as stored. Throws `invalid_request` for an unknown country. */
export async function saveAddress(queries: Queries, user_id: number, given: Address): Promise<Address> {
  if (!isCountry(given.country)) {
    throw invalidField('country', 'unknown_country', 'is not the ISO 3166-1 alpha-2 code of a country')
  }
  const blankless = { ...given, line2: given.line2 || null, region: given.region || null, phone: given.phone || null }
  if (!(await queries.oneOrNone(sql.putAddress({ ...blankless, user_id })))) throw problem('unauthenticated')
  return (await findAddress(queries, user_id)) ?? given
}
