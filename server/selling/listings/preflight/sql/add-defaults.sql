-- Stores the options that a seller chose on a platform, except those that are stored already. Does nothing for a
-- closed account.
insert into listing_defaults (user_id, platform, options)
select id, ${platform}, ${options}::jsonb
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id, platform) do update set
  options = excluded.options || listing_defaults.options, updated_at = now()
where not listing_defaults.options ?& array(select jsonb_object_keys(excluded.options))
