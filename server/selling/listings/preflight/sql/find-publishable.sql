-- Returns everything that a listing of an item is made of: the item, the seller's address and the stored options. The
-- options of the item's last listing there come before the seller's defaults.
select item.sku, item.title, item.description, item.attributes, item.images, item.condition_label, item.condition_notes,
  item.state,
  (select to_jsonb(address) - 'user_id' - 'updated_at' from postal_address address where address.user_id = item.user_id)
    as address,
  coalesce(
    (
      select defaults.options from listing_defaults defaults
      where defaults.user_id = item.user_id and defaults.platform = ${platform}
    ), '{}'
  ) || coalesce(
    (
      select jsonb_object_agg(choice.key, choice.value)
      from (
        select operation.options from listing_operation operation
        where operation.user_id = item.user_id and operation.item_uid = item.uid and operation.platform = ${platform}
          and operation.kind = 'list' and operation.accepted_at is not null
        order by operation.created_at desc
        limit 1
      ) last_time, jsonb_each(last_time.options) choice
      where choice.key in ('category_id', 'aspects', 'taxonomy_id', 'who_made', 'when_made')
    ), '{}'
  ) as defaults,
  -- The listing that an earlier operation made: it may be published again.
  (
    select operation.listing_id from listing_operation operation
    where operation.user_id = item.user_id and operation.item_uid = item.uid and operation.platform = ${platform}
      and operation.seller_account_uid = ${seller_account_uid} and operation.kind = 'list' and operation.listing_id is not null
    order by operation.created_at desc
    limit 1
  ) as made
from inventory_item item
where item.user_id = ${user_id} and item.uid = ${item_uid}
