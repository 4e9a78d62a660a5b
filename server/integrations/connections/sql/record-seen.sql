-- Records that the platform answered for this connection, with the shop's current name and currency.
update seller_account set
  external_name = ${external_name},
  url = ${url},
  currency = coalesce(${currency}, currency),
  last_seen_at = now(),
  last_checked_at = now()
where user_id = ${user_id} and uid = ${seller_account_uid} and status <> 'revoked'
