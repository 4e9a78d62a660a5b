-- Alerts the seller that a platform refused an update of a live listing. A second refusal changes the open alert, which
-- names every field that the listing still lacks. A price that the listing has was not refused.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select
  ${user_id}, ${uid}, 'update_refused', ${item_uid}, ${platform}, refused.listing_id, ${message},
  jsonb_build_object(
    'listing_id', refused.listing_id, 'listing_url', refused.url, 'seller_account_uid', ${seller_account_uid},
    'reason', ${reason}, 'fields', refused.fields
  )
from (
  select listing_id, url,
    case when price_minor = ${price_minor}::bigint or ${price_minor}::bigint is null then '{}'::text[] else '{price}' end
      || ${fields}::text[] as fields
  from channel_listing
  where user_id = ${user_id} and item_uid = ${item_uid} and seller_account_uid = ${seller_account_uid}
    and listing_id = coalesce(${listing_id}, listing_id) and state in ('available', 'reserved')
  order by extra
  limit 1
) refused
where cardinality(refused.fields) > 0
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
  message = excluded.message,
  data = excluded.data || jsonb_build_object(
    'fields', ((alert.data -> 'fields') - ${fields}::text[] - 'price') || (excluded.data -> 'fields')
  )
