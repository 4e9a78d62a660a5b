// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { Address } from '#shared/contract/account/billing.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { PriceRules } from '#shared/price-schemas.ts'
import type { System } from '#shared/item/units.ts'

/** Stores the options that a seller chose on a platform, except those that are stored already. Does nothing for a
 * closed account. */
export const addDefaults = statement<{ platform: string; options: unknown; user_id: number }, void>(
  'selling/listings/preflight/addDefaults',
  ['platform', 'options', 'user_id'],
  `insert into listing_defaults (user_id, platform, options)
select id, $1, $2::jsonb
from (
  select id from app_user left join seller_settings shard on shard.user_id = $3
  where id = $3 and state = 'active'
  for share of app_user
) holder
on conflict (user_id, platform) do update set
  options = excluded.options || listing_defaults.options, updated_at = excluded.updated_at
where not listing_defaults.options ?& array(select jsonb_object_keys(excluded.options))`,
)

/** Returns the fields of an item that listing it needs. */
export const findItem = statement<{ user_id: number; item_uid: string }, { uid: string; sku: string | null; title: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; currency: string; price_minor: number; images: string[] }>(
  'selling/listings/preflight/findItem',
  ['user_id', 'item_uid'],
  `select uid, sku, title, state, currency, price_minor, images
from inventory_item
where user_id = $1 and uid = $2`,
)

/** Returns the seller's price rules by platform, if any. */
export const findPriceRules = statement<{ user_id: number }, { price_rules: PriceRules }>(
  'selling/listings/preflight/findPriceRules',
  ['user_id'],
  `select price_rules from seller_settings where user_id = $1 and price_rules <> '{}'`,
)

/** Returns everything that a listing of an item is made of: the item, the seller's address and the stored options. The
 * options of the item's last listing there come before the seller's defaults. */
export const findPublishable = statement<{ user_id: number; platform: string; seller_account_uid: string; item_uid: string }, { sku: string | null; title: string; description: string; attributes: Record<string, unknown>; images: string[]; condition_label: string; condition_notes: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; units: System | null; address: Address | null; defaults: ListingOptions | null; made: string | null }>(
  'selling/listings/preflight/findPublishable',
  ['user_id', 'platform', 'seller_account_uid', 'item_uid'],
  `select item.sku, item.title, item.description, item.attributes, item.images, item.condition_label, item.condition_notes,
  item.state,
  (select units from seller_settings settings where settings.user_id = $1) as units,
  (select to_jsonb(address) - 'user_id' - 'updated_at' from postal_address address where address.user_id = $1)
    as address,
  coalesce(
    (
      select defaults.options from listing_defaults defaults
      where defaults.user_id = $1 and defaults.platform = $2
    ), '{}'
  ) || coalesce(
    (
      select jsonb_object_agg(choice.key, choice.value)
      from (
        select operation.options from listing_operation operation
        where operation.user_id = $1 and operation.item_uid = item.uid and operation.platform = $2
          and operation.kind = 'list' and operation.accepted_at is not null
        order by operation.created_at desc
        limit 1
      ) last_time, jsonb_each(last_time.options) choice
      where choice.key in (
        'category_id', 'aspects', 'taxonomy_id', 'who_made', 'when_made', 'is_supply', 'production_partner_ids'
      )
    ), '{}'
  ) as defaults,
  (
    select operation.listing_id from listing_operation operation
    where operation.user_id = $1 and operation.item_uid = item.uid and operation.platform = $2
      and operation.seller_account_uid = $3 and operation.kind = 'list' and operation.listing_id is not null
    order by operation.created_at desc
    limit 1
  ) as made
from inventory_item item
where item.user_id = $1 and item.uid = $4`,
)

/** Returns the user's shops on a platform that are not disconnected. */
export const findShops = statement<{ user_id: number; platform: string }, { uid: string; status: 'connected' | 'reconnect_required' }>(
  'selling/listings/preflight/findShops',
  ['user_id', 'platform'],
  `select uid, status from seller_account
where user_id = $1 and platform = $2 and status <> 'revoked'
order by connected_at`,
)

/** Returns the seller's stored options on a platform. */
export const getDefaults = statement<{ user_id: number; platform: string }, { options: ListingOptions }>(
  'selling/listings/preflight/getDefaults',
  ['user_id', 'platform'],
  `select options from listing_defaults where user_id = $1 and platform = $2`,
)

/** Stores the seller's options on a platform. No row if the account is closed. */
export const putDefaults = statement<{ platform: string; options: unknown; user_id: number }, { user_id: number }>(
  'selling/listings/preflight/putDefaults',
  ['platform', 'options', 'user_id'],
  `insert into listing_defaults (user_id, platform, options)
select id, $1, $2
from (
  select id from app_user left join seller_settings shard on shard.user_id = $3
  where id = $3 and state = 'active'
  for share of app_user
) holder
on conflict (user_id, platform) do update set options = excluded.options, updated_at = excluded.updated_at
returning user_id`,
)
