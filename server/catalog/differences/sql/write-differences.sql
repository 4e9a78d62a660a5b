-- Stores what a reading of listings told: differences that are new or have another value, without those that are gone.
with told as (
  select *
  from json_to_recordset(${rows}::json) as row (
    uid text, listing_id text, field text, theirs jsonb, theirs_hash text, state text
  )
), gone as (
  delete from listing_difference difference
  using told
  where told.state is null and difference.user_id = ${user_id}
    and difference.seller_account_uid = ${seller_account_uid} and difference.listing_id = told.listing_id
    and difference.field = told.field
)
insert into listing_difference as known (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select ${user_id}, uid, ${seller_account_uid}, listing_id, field, theirs, theirs_hash, state, now()
from told
where state is not null
-- Another value is another difference: nobody decides about a value that was not shown.
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = excluded.theirs_hash, state = excluded.state,
  noticed_at = excluded.noticed_at
