-- One open delist intent for every live listing of an item that an API takes down, but for the listing that was sold.
-- Already open ones stay the only ones; what is more urgent, a sale above all, makes them its own, so that they do not end
-- with the bulk job that ordered them first.
insert into listing_intent (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority,
  seen_at
)
select
  listing.user_id, 'delist', listing.item_uid, listing.platform, listing.seller_account_uid,
  listing.listing_id, listing.url, made.external_key, ${cause}, ${cause_ref}, ${priority},
  coalesce(${seen_at}::timestamptz, now())
from channel_listing listing
left join lateral (
  select intent.external_key
  from listing_intent intent
  where intent.user_id = listing.user_id and intent.item_uid = listing.item_uid and intent.kind = 'list'
    and intent.seller_account_uid = listing.seller_account_uid and intent.listing_id = listing.listing_id
  order by intent.created_at desc
  limit 1
) made on true
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.state in ('available', 'reserved')
  and listing.platform = any(${api_platforms})
  and (${platforms}::text[] is null or listing.platform = any(${platforms}::text[]))
  and (listing.platform, listing.listing_id) is distinct from (${except_platform}, ${except_listing_id})
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open'
do update set
  priority = greatest(listing_intent.priority, excluded.priority),
  cause = case when excluded.priority > listing_intent.priority then excluded.cause else listing_intent.cause end,
  cause_ref = case when excluded.priority > listing_intent.priority then excluded.cause_ref else listing_intent.cause_ref end,
  seen_at = case when excluded.priority > listing_intent.priority then excluded.seen_at else listing_intent.seen_at end,
  -- What waited for its next attempt is tried at once.
  next_attempt_at = case
    when excluded.priority > listing_intent.priority then least(listing_intent.next_attempt_at, now())
    else listing_intent.next_attempt_at
  end
returning platform, seller_account_uid, listing_id, id
