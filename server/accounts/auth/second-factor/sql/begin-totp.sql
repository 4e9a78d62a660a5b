-- A new secret to be confirmed within ${seconds} s; no row where one is in use.
insert into totp_secret as known (user_id, sealed_secret, created_at)
values (${user_id}, ${sealed_secret}, now())
on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = now(), last_step = 0
  where known.confirmed_at is null
returning created_at + ${seconds} * interval '1 second' as expires_at
