-- Returns a page of the open conflicts of all imports, or of one, with both sides. Long texts are cut as in list-items.sql.
select item.job_uid, job.platform as marketplace,
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', item.external_listing_id, 'external_sku', left(item.external_sku, 500),
    'status', item.status, 'listing_title', left(item.listing_title, 1000), 'listing_price', item.listing_price,
    'conflict_type', item.conflict_type, 'conflict_details', left(item.conflict_details, 2000), 'error_message', null,
    'error_code', null, 'resolution', item.resolution, 'created_inventory_item_uid', null, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons) end
  ) as item,
  item.processed_at,
  jsonb_build_object(
    'url', item.found ->> 'url', 'image', item.found -> 'images' ->> 0, 'price_minor', item.found -> 'price_minor',
    'currency', item.found ->> 'currency'
  ) as listing,
  case when mine.uid is not null then jsonb_build_object(
    'uid', mine.uid, 'title', left(mine.title, 1000), 'image', mine.images[1], 'sku', mine.sku, 'price_minor', mine.price_minor,
    'currency', mine.currency, 'state', mine.state, 'platforms', (
      select coalesce(jsonb_agg(distinct listing.platform), '[]')
      from channel_listing listing
      where listing.user_id = mine.user_id and listing.item_uid = mine.uid and listing.state in ('available', 'reserved')
    )
  ) end as existing,
  case
    when match_certainty is null or mine.uid is null then null
    when item.found ->> 'state' in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = mine.user_id and other.item_uid = mine.uid and other.platform = job.platform
        and other.state in ('available', 'reserved')
        and (other.seller_account_uid, other.listing_id) is distinct from (job.seller_account_uid, item.external_listing_id)
    ) then 'create_new'
    else 'link_existing'
  end as proposed
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
left join inventory_item named on named.user_id = item.user_id and named.uid = item.conflict_item_uid
left join inventory_item mine on mine.user_id = item.user_id and mine.uid = coalesce(named.redirect_uid, named.uid)
where item.user_id = ${user_id} and item.status = 'conflict'
  and (${job_uid}::text is null or item.job_uid = ${job_uid})
  and (${certainty}::text is null or coalesce(item.match_certainty, 'other') = ${certainty})
order by array_position(array['certain', 'likely', 'unsure'], item.match_certainty), item.uid
limit ${limit} offset ${offset}
