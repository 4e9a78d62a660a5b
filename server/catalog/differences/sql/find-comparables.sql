-- Returns the item's values of listings that are `unlike`, or that differed before; those of all other listings agree.
-- `stored`: earlier differences. `sent`: fields that Hapax is changing there, or changed so lately that a page may be older.
select listing.listing_id, listing.price_minor as listing_price_minor, listing.currency as listing_currency, item.title,
  item.description, coalesce(copy.sources, item.images) as photos, item.price_minor, item.currency,
  item.offer_id = listing.listing_id as is_source,
  exists (
    select from listing_operation made
    where made.user_id = listing.user_id and made.kind = 'list' and made.listing_id = listing.listing_id
  ) or exists (
    select from extension_task task
    where task.user_id = listing.user_id and task.item_uid = listing.item_uid and task.kind = 'list'
      and task.status = 'completed' and task.listing_id = listing.listing_id
  ) as is_own,
  (
    select coalesce(jsonb_object_agg(
      difference.field, jsonb_build_object('hash', difference.theirs_hash, 'state', difference.state)
    ), '{}')
    from listing_difference difference
    where difference.user_id = listing.user_id and difference.seller_account_uid = listing.seller_account_uid
      and difference.listing_id = listing.listing_id
  ) as stored,
  array(
    select unnest(operation.fields || case when operation.price_minor is not null then array['price'] end)
    from listing_operation operation
    where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid
      and operation.kind in ('update', 'reprice') and operation.seller_account_uid = listing.seller_account_uid
      and (operation.state = 'open' or operation.state = 'done' and operation.finished_at > now() - interval '2 minutes')
  ) as sent
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = any(${listing_ids}::text[])
  and (
    listing.listing_id = any(${unlike}::text[])
    or exists (
      select from listing_difference difference
      where difference.user_id = listing.user_id and difference.seller_account_uid = listing.seller_account_uid
        and difference.listing_id = listing.listing_id
    )
  )
