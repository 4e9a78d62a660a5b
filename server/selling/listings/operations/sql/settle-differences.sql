-- Ends the differences of fields that an update has sent. The platform may keep a description or photos in another form,
-- so that their next reading is what later ones are compared with.
with gone as (
  delete from listing_difference
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
    and field in ('title', 'price') and field = any(${fields}::text[])
)
insert into listing_difference (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select listing.user_id, ${uids}::jsonb ->> field, listing.seller_account_uid, listing.listing_id, field, '""', '', 'same', now()
from channel_listing listing
cross join unnest(array['description', 'photos']) as field
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = ${listing_id} and field = any(${fields}::text[])
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = '', state = 'same', noticed_at = excluded.noticed_at
