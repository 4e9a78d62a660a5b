import { type Queries, sql } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { SellerSettings } from '#shared/contract/inventory.ts'
import { httpUri } from './clean.ts'
import { isCurrency } from './read-listing.ts'

const find = sql(import.meta.url, './sql/find-settings.sql')
const put = sql(import.meta.url, './sql/put-settings.sql')

const unset: SellerSettings = {
  shipping_policy_url: null,
  returns_policy_url: null,
  default_currency: null,
  sku_required: false,
}

/** A seller's settings; nothing is set at first. */
export async function readSettings(queries: Queries, user_id: number): Promise<SellerSettings> {
  return (await queries.oneOrNone<SellerSettings>(find, { user_id })) ?? unset
}

/** Replaces a seller's settings; what is left out is unset. Throws 400 for a currency or address that is none. */
export async function putSettings(
  queries: Queries,
  user_id: number,
  given: Partial<SellerSettings>,
): Promise<SellerSettings> {
  const settings = { ...unset, ...given }
  if (settings.default_currency !== null && !isCurrency(settings.default_currency)) {
    throw invalidField('default_currency', 'unsupported_currency', 'is not the code of a currency')
  }
  for (const field of ['shipping_policy_url', 'returns_policy_url'] as const) {
    const url = settings[field]
    if (url !== null) settings[field] = webAddress(field, url)
  }
  if (!(await queries.oneOrNone(put, { ...settings, user_id }))) throw problem('unauthenticated')
  return settings
}

/** An address in the form that the record needs; 400 naming the field when it has none. */
export function webAddress(field: string, url: string): string {
  const uri = httpUri(url)
  if (uri === null) throw invalidField(field, 'invalid_url', 'is not a web address')
  return uri
}
