import type { Queries } from '#server/infra/db/index.ts'
import { encryptGrant, tokenKey } from '#server/integrations/connections/token-encryption.ts'
import type { TokenGrant } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { newId, newOrderedId, randomBase62 } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Inserts an item into its table. */
export async function insertItem(
  queries: Queries,
  user_id: number,
  given: { title?: string; sku?: string | null; state?: string; images?: string[]; price_minor?: number } = {},
): Promise<string> {
  const uid = newOrderedId('inv')
  await queries.none(
    `with made as (
       insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, images, condition_label, inspected_at,
         price_minor, currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url)
       values ($<user_id>, $<uid>, $<sku>, $<uid>, $<uid>, $<title>, $<images>, 'Used', '2026-01-02',
         $<price_minor>, 'USD', $<state>, now(), 'https://example.com/shop', 'https://example.com/s', 'https://example.com/r')
       returning user_id, uid, state
     )
     insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
     select user_id, uid, 1, 'user', state, 'Made' from made`,
    {
      user_id,
      uid,
      sku: null,
      title: `Brass sextant ${randomBase62(5)}`,
      images: ['https://example.com/1.jpg'],
      price_minor: 4_250,
      state: 'available',
      ...given,
    },
  )
  return uid
}

/** Moves an item with its history, as something outside the test would. */
export async function moveItem(queries: Queries, uid: string, state: string): Promise<void> {
  await queries.none(
    `with before as (
       select state from inventory_item where uid = $<uid>
     ), moved as (
       update inventory_item set state = $<state>, version = version + 1 where uid = $<uid>
       returning user_id, uid, version, state
     )
     insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason)
     select moved.user_id, moved.uid, moved.version, 'user', before.state, moved.state, 'Moved' from moved, before`,
    { uid, state },
  )
}

/** Inserts a connected shop without tokens. */
export async function insertShop(queries: Queries, user_id: number, platform: PlatformSlug): Promise<string> {
  const uid = newId('sel')
  await queries.none(
    `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
     values ($<user_id>, $<uid>, $<platform>, $<uid>, 'A shop', 'https://example.com/shop', 'connected')`,
    { user_id, uid, platform },
  )
  return uid
}

/** Inserts a live listing. */
export async function insertLiveListing(
  queries: Queries,
  listing: {
    user_id: number
    item_uid: string
    seller_account_uid: string
    platform: PlatformSlug
    listing_id: string
    state?: string
    extra?: boolean
  },
): Promise<void> {
  await queries.none(
    `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra,
       price_minor, currency, observed_at)
     values ($<user_id>, $<seller_account_uid>, $<listing_id>, $<item_uid>, $<platform>,
       'https://example.com/listing', $<state>, $<extra>, 4250, 'USD', now())`,
    { state: 'available', extra: false, ...listing },
  )
}

/** Inserts the finished operation by which Hapax published a listing. */
export async function insertPublished(
  queries: Queries,
  listing: {
    user_id: number
    item_uid: string
    seller_account_uid: string
    platform: PlatformSlug
    listing_id: string
  },
): Promise<void> {
  await queries.none(
    `insert into listing_operation (user_id, kind, item_uid, platform, seller_account_uid, external_key, price_minor,
       currency, options, cause, priority, state, finished_at, listing_id)
     values ($<user_id>, 'list', $<item_uid>, $<platform>, $<seller_account_uid>, $<item_uid>, 4250, 'USD', '{}', 'user',
       0, 'done', now(), $<listing_id>)`,
    listing,
  )
}

/** Inserts a shop with a working access token, as after connecting. */
export async function insertWorkingShop(
  services: Pick<Services, 'db' | 'config'>,
  user_id: number,
  platform: PlatformSlug,
): Promise<string> {
  const seller_account_uid = await insertShop(services.db, user_id, platform)
  const grant = {
    access_token: `token of ${seller_account_uid}`,
    refresh_token: `refresh of ${seller_account_uid}`,
    expires_in_seconds: 7_200,
    refresh_expires_in_seconds: null,
    scopes: [],
  }
  await storeGrant(services, { user_id, seller_account_uid }, grant)
  return seller_account_uid
}

/** Stores a grant's tokens with a shop. */
export async function storeGrant(
  services: Pick<Services, 'db' | 'config'>,
  owner: { user_id: number; seller_account_uid: string },
  grant: TokenGrant,
): Promise<void> {
  await services.db.none(
    `update seller_account set encrypted_access_token = $<encrypted_access_token>, encrypted_refresh_token = $<encrypted_refresh_token>,
       access_expires_at = now() + $<access_seconds> * interval '1 second', token_epoch = token_epoch + 1,
       status = 'connected'
     where user_id = $<user_id> and uid = $<seller_account_uid>`,
    { ...encryptGrant(grant, owner, tokenKey(services.config)), ...owner },
  )
}

/** Inserts an address, so that the account may list during its trial. */
export async function insertAddress(queries: Queries, user_id: number): Promise<void> {
  await queries.none(
    `insert into postal_address (user_id, full_name, line1, city, region, postal_code, country)
     values ($<user_id>, 'Ada Seller', '1 Quay Street', 'Portland', 'ME', '04101', 'US')`,
    { user_id },
  )
}
