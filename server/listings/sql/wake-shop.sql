-- What is to be done in a shop is due now.
update listing_intent set next_attempt_at = now()
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and state = 'open' and next_attempt_at > now()
