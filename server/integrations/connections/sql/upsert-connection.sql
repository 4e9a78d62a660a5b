-- Stores a shop with its grant. Another account's live row violates seller_account_verified_shop_key.
insert into seller_account (user_id, uid, platform, external_id, external_name, url, currency, status,
  last_seen_at, last_checked_at, encrypted_access_token, encrypted_refresh_token, access_expires_at, refresh_expires_at, token_epoch)
values (${user_id}, ${uid}, ${platform}, ${external_id}, ${external_name}, ${url}, ${currency}, 'connected',
  now(), now(),
  ${encrypted_access_token}, ${encrypted_refresh_token}, now() + ${access_seconds} * interval '1 second',
  now() + ${refresh_seconds} * interval '1 second', 1)
on conflict (user_id, platform, external_id) do update set
  external_name = excluded.external_name,
  url = excluded.url,
  currency = coalesce(excluded.currency, seller_account.currency),
  status = 'connected',
  connected_at = now(),
  last_seen_at = now(),
  last_checked_at = now(),
  encrypted_access_token = excluded.encrypted_access_token,
  encrypted_refresh_token = excluded.encrypted_refresh_token,
  access_expires_at = excluded.access_expires_at,
  refresh_expires_at = excluded.refresh_expires_at,
  token_epoch = seller_account.token_epoch + 1,
  sale_notices = null,
  notices_checked_at = null
