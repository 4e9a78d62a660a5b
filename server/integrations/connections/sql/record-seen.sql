-- The platform answered for this connection, and says what the shop is called now.
update seller_account set
  external_name = ${external_name},
  url = ${url},
  last_seen_at = now(),
  last_checked_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid} and status <> 'revoked'
