-- Returns the next ids of a shop's live listings, except those that changed just now: the platform may lag behind.
select listing_id
from channel_listing
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id > ${after}
  and state in ('available', 'reserved') and updated_at < ${asked_at}::timestamptz - interval '15 minutes'
order by listing_id
limit ${limit}
