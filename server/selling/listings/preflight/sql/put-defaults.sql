-- Stores the seller's options on a platform. No row if the account is closed.
insert into listing_defaults (user_id, platform, options)
select id, ${platform}, ${options}
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id, platform) do update set options = excluded.options, updated_at = now()
returning user_id
