-- Has the operations that end a listing run now, because the seller says that it ended. Returns a row if the shop is
-- still the seller's, so that it can be read, now or once it is connected again.
with woken as (
  update listing_operation set next_attempt_at = least(next_attempt_at, now())
  where user_id = ${user_id} and platform = ${platform} and listing_id is not distinct from ${listing_id} and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = ${item_uid}))
)
select uid from seller_account where user_id = ${user_id} and uid = ${seller_account_uid} and status <> 'revoked'
