-- Inserts a sign-in that passed its first step, for an active account with a second factor. No row for any other
-- account.
insert into signin_step (token_hash, user_id, expires_at)
select ${token_hash}, holder.id, now() + ${seconds} * interval '1 second'
from (
  select id from app_user
  where id = ${user_id} and state = 'active'
    and (${password_hash}::text is null or password_hash = ${password_hash})
  for share
) holder
join totp_secret on totp_secret.user_id = holder.id and totp_secret.confirmed_at is not null
returning expires_at
