-- Records that the platform accepted a request to end a listing, for the holder of the lease; the first time counts.
-- Returns how long the listing has been known or published. Does not wait for the disk: after a crash of the database
-- the listing is ended once more.
with soon as materialized (select set_config('synchronous_commit', 'off', true)),
accepted as (
  update listing_operation set
    accepted_at = coalesce(accepted_at, now()), failures = 0, error_code = null, error_message = null
  from soon
  where user_id = ${user_id} and id = ${id} and lease_epoch = ${lease_epoch} and state = 'open'
  returning user_id, seller_account_uid, listing_id, cancel_requested_at is not null as is_cancelled
)
select accepted.is_cancelled, (extract(epoch from now() - listing.created_at) * 1000)::float8 as known_ms
from accepted
left join channel_listing listing on listing.user_id = accepted.user_id
  and listing.seller_account_uid = accepted.seller_account_uid and listing.listing_id = accepted.listing_id
