-- Inserts an open delist operation for every live listing of an item on a platform with an API, except the listing
-- that was sold. An open operation stays the only one. A more urgent cause, above all a sale, takes it over, so that
-- it does not end with the bulk job that asked first.
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority,
  seen_at, traceparent
)
select
  listing.user_id, 'delist', listing.item_uid, listing.platform, listing.seller_account_uid,
  listing.listing_id, listing.url, made.external_key, ${cause}, ${cause_ref}, ${priority},
  coalesce(${seen_at}::timestamptz, now()), ${traceparent}
from channel_listing listing
left join lateral (
  select operation.external_key
  from listing_operation operation
  where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.state in ('available', 'reserved')
  and listing.platform = any(${api_platforms})
  and (${platforms}::text[] is null or listing.platform = any(${platforms}::text[]))
  and (listing.platform, listing.listing_id) is distinct from (${except_platform}, ${except_listing_id})
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open'
do update set
  priority = greatest(listing_operation.priority, excluded.priority),
  cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
  cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
  seen_at = case when excluded.priority > listing_operation.priority then excluded.seen_at else listing_operation.seen_at end,
  traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end,
  -- A waiting operation is tried at once.
  next_attempt_at = case
    when excluded.priority > listing_operation.priority then least(listing_operation.next_attempt_at, now())
    else listing_operation.next_attempt_at
  end
returning platform, seller_account_uid, listing_id, id
