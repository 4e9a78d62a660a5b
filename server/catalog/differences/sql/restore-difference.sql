-- Shows a decided difference of a live listing again. No row if the listing is gone or over, or has another difference.
insert into listing_difference as known (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select user_id, ${subject_uid}, seller_account_uid, listing_id, ${field}, ${theirs:json}, ${theirs_hash}, 'open', now()
from channel_listing
where user_id = ${user_id} and listing_id = ${listing_id} and platform = ${platform} and item_uid = ${item_uid}
  and state in ('available', 'reserved')
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = excluded.theirs_hash, state = 'open',
  noticed_at = excluded.noticed_at
where known.uid = excluded.uid or known.state = 'same'
returning uid
