-- Whether a shop's sales are told; a failure leaves what was known, and is tried again in an hour.
update seller_account set
  sale_notices = case when ${is_failed} then sale_notices else ${state} end,
  notices_checked_at = case when ${is_failed} then now() - interval '23 hours' else notices_checked_at end
where user_id = ${user_id} and uid = ${seller_account_uid}
