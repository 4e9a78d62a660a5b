-- Returns everything known about these listings:
-- - listings stored with the job
-- - listings of the seller account with an item; of all the user's shops if ids are unique on the platform
-- - items with one of the SKUs
-- - items that we listed in this shop under one of the SKUs or ids
-- - conflicts of these listings that the seller last skipped
with shop as materialized (
  select uid from seller_account
  where user_id = ${user_id} and (uid = ${seller_account_uid} or ${any_shop} and platform = ${platform})
)
select
  (
    select coalesce(json_agg(stored.external_listing_id), '[]')
    from import_item stored
    where stored.user_id = ${user_id} and stored.job_uid = ${job_uid}
      and stored.external_listing_id = any(${listing_ids}::text[])
  ) as stored,
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', listing.listing_id, 'price_minor', listing.price_minor, 'currency', listing.currency,
      'state', listing.state, 'sku', listing.sku, 'item', json_build_object(
        'uid', item.uid, 'title', item.title, 'state', item.state, 'sku', item.sku,
        -- Copied photos are compared by where they came from.
        'images', coalesce(copy.sources, item.images), 'description_md5', md5(item.description),
        'condition_label', item.condition_label, 'attributes', item.attributes
      )
      -- The last one counts, which is the shop's own.
    ) order by shop.uid = ${seller_account_uid}), '[]')
    from shop
    join channel_listing listing on listing.user_id = ${user_id} and listing.seller_account_uid = shop.uid
      and listing.listing_id = any(${listing_ids}::text[])
    join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
    left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
  ) as listings,
  (
    select coalesce(json_agg(json_build_object('sku', sku, 'uid', uid, 'title', title, 'state', state)), '[]')
    from inventory_item
    where user_id = ${user_id} and sku = any(${skus}::text[])
  ) as skus,
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', operation.listing_id, 'external_key', operation.external_key, 'is_open', operation.is_open,
      'item', json_build_object('uid', item.uid, 'title', item.title, 'state', item.state)
    )), '[]')
    from (
      select distinct on (item_uid, listing_id, external_key) item_uid, listing_id, external_key, state = 'open' as is_open
      from listing_operation
      where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and kind = 'list'
        and (external_key = any(${skus}::text[]) or listing_id = any(${listing_ids}::text[]))
      order by item_uid, listing_id, external_key, created_at desc
    ) operation
    join inventory_item item on item.user_id = ${user_id} and item.uid = operation.item_uid
  ) as put_up,
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', skip.external_listing_id, 'found', skip.found, 'conflict_type', skip.conflict_type,
      'conflict_details', skip.conflict_details, 'conflict_item_uid', skip.conflict_item_uid,
      'resolution', skip.resolution
    )), '[]')
    from (
      select distinct on (item.external_listing_id) item.external_listing_id, item.found, item.conflict_type,
        item.conflict_details, item.conflict_item_uid, item.resolution
      from import_item item
      where item.user_id = ${user_id} and item.external_listing_id = any(${listing_ids}::text[])
        and item.resolution in ('skip', 'skip_all')
        -- Looked up per listing: starting from the jobs would read all their items.
        and (
          select job.seller_account_uid from import_job job where job.user_id = item.user_id and job.uid = item.job_uid
        ) in (select uid from shop)
      order by item.external_listing_id, item.uid desc
    ) skip
  ) as skips
