import type { Queries } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { SellerSettings } from '#shared/contract/catalog/inventory.ts'
import { defaultAlertMails, defaultPushKinds } from '#shared/contract/selling/orders.ts'
import { httpUri } from './clean.ts'
import { isOwnPage } from './own-page.ts'
import * as sql from './queries.ts'
import { isCurrency } from './read-listing.ts'

const unset: SellerSettings = {
  shipping_policy_url: null,
  returns_policy_url: null,
  default_currency: null,
  sku_required: false,
  alert_mails: defaultAlertMails,
  push_kinds: defaultPushKinds,
  price_rules: {},
  units: null,
  texts: [],
}

/** Returns a seller's settings, empty at first. */
export async function readSettings(queries: Queries, user_id: number): Promise<SellerSettings> {
  const row = await queries.oneOrNone(sql.findSettings({ user_id }))
  if (!row) return unset
  const { alert_mails, push_kinds } = row
  return { ...row, alert_mails: alert_mails ?? defaultAlertMails, push_kinds: push_kinds ?? defaultPushKinds }
}

/** Replaces a seller's settings. Omitted ones are unset. Throws 400 for an invalid currency or address. */
export async function putSettings(
  { db, config }: Pick<Services, 'db' | 'config'>,
  user_id: number,
  given: Partial<SellerSettings>,
): Promise<SellerSettings> {
  const settings = { ...unset, ...given, units: given.units ?? null }
  if (settings.default_currency !== null && !isCurrency(settings.default_currency)) {
    throw invalidField('default_currency', 'unsupported_currency', 'is not a currency code')
  }
  for (const field of ['shipping_policy_url', 'returns_policy_url'] as const) {
    const url = settings[field]
    if (url !== null) settings[field] = webAddress(field, url, config.PUBLIC_URL)
  }
  // Kinds that are left out follow the defaults of later releases.
  const stored = {
    ...settings,
    texts: JSON.stringify(given.texts ?? []),
    alert_mails: given.alert_mails ?? null,
    push_kinds: given.push_kinds ?? null,
    user_id,
  }
  if (!(await db.oneOrNone(sql.putSettings(stored)))) throw problem('unauthenticated')
  return settings
}

/**
 * Converts a seller's address into the record's form. Throws 400 naming the field for any other text, and for a page of
 * this server (own-page.ts).
 */
export function webAddress(field: string, url: string, publicUrl: string): string {
  const uri = httpUri(url)
  if (uri === null) throw invalidField(field, 'invalid_url', 'is not a web address')
  if (isOwnPage(uri, publicUrl)) throw invalidField(field, 'not_allowed', 'must not lead to a page of this server')
  return uri
}
