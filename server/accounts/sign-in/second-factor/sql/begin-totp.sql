-- Stores a new secret that must be confirmed within ${seconds} s. No row if one is in use.
insert into totp_secret as known (user_id, encrypted_secret, created_at)
values (${user_id}, ${encrypted_secret}, now())
on conflict (user_id) do update set encrypted_secret = excluded.encrypted_secret, created_at = now(), last_step = 0
  where known.confirmed_at is null
returning created_at + ${seconds} * interval '1 second' as expires_at
