-- import type { Address } from '#shared/contract/account/billing.ts'
-- import type { ListingOptions } from '#shared/contract/selling/listings.ts'
-- import type { PriceRules } from '#shared/price-schemas.ts'
-- import type { System } from '#shared/item/units.ts'

-- name: addDefaults
-- Stores the options that a seller chose on a platform, except those that are stored already. Does nothing for a
-- closed account.
insert into listing_defaults (user_id, platform, options)
select id, :platform, :options::jsonb
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
  for share of app_user
) holder
on conflict (user_id, platform) do update set
  options = excluded.options || listing_defaults.options, updated_at = excluded.updated_at
where not listing_defaults.options ?& array(select jsonb_object_keys(excluded.options))

-- name: findItem
-- Returns the fields of an item that listing it needs.
select uid, sku, title, state, currency, price_minor, images
from inventory_item
where user_id = :user_id and uid = :item_uid

-- name: findPriceRules
-- type price_rules: PriceRules
-- Returns the seller's price rules by platform, if any.
select price_rules from seller_settings where user_id = :user_id and price_rules <> '{}'

-- name: findPublishable
-- type attributes: Record<string, unknown>
-- type address: Address
-- type defaults: ListingOptions
-- type units: System
-- Returns everything that a listing of an item is made of: the item, the seller's address and the stored options. The
-- options of the item's last listing there come before the seller's defaults.
select item.sku, item.title, item.description, item.attributes, item.images, item.condition_label, item.condition_notes,
  item.state,
  (select units from seller_settings settings where settings.user_id = :user_id) as units,
  (select to_jsonb(address) - 'user_id' - 'updated_at' from postal_address address where address.user_id = :user_id)
    as address,
  coalesce(
    (
      select defaults.options from listing_defaults defaults
      where defaults.user_id = :user_id and defaults.platform = :platform
    ), '{}'
  ) || coalesce(
    (
      select jsonb_object_agg(choice.key, choice.value)
      from (
        select operation.options from listing_operation operation
        where operation.user_id = :user_id and operation.item_uid = item.uid and operation.platform = :platform
          and operation.kind = 'list' and operation.accepted_at is not null
        order by operation.created_at desc
        limit 1
      ) last_time, jsonb_each(last_time.options) choice
      where choice.key in (
        'category_id', 'aspects', 'taxonomy_id', 'who_made', 'when_made', 'is_supply', 'production_partner_ids'
      )
    ), '{}'
  ) as defaults,
  -- The listing that an earlier operation made: it may be published again.
  (
    select operation.listing_id from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = item.uid and operation.platform = :platform
      and operation.seller_account_uid = :seller_account_uid and operation.kind = 'list' and operation.listing_id is not null
    order by operation.created_at desc
    limit 1
  ) as made
from inventory_item item
where item.user_id = :user_id and item.uid = :item_uid

-- name: findShops
-- type status: 'connected' | 'reconnect_required'
-- Returns the user's shops on a platform that are not disconnected.
select uid, status from seller_account
where user_id = :user_id and platform = :platform and status <> 'revoked'
order by connected_at

-- name: getDefaults
-- type options: ListingOptions
-- Returns the seller's stored options on a platform.
select options from listing_defaults where user_id = :user_id and platform = :platform

-- name: putDefaults
-- Stores the seller's options on a platform. No row if the account is closed.
insert into listing_defaults (user_id, platform, options)
select id, :platform, :options
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
  for share of app_user
) holder
on conflict (user_id, platform) do update set options = excluded.options, updated_at = excluded.updated_at
returning user_id
