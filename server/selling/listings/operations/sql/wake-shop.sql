-- Makes a shop's operations due now. An operation in progress is retried at once if it fails (postpone-operation.sql).
update listing_operation set next_attempt_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and state = 'open'
  and (next_attempt_at > now() or lease_until is not null)
