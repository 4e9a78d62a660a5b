-- Remembers choices of the seller's on a platform, but for those that are remembered already; nothing for a closed account.
insert into listing_defaults (user_id, platform, options)
select id, ${platform}, ${options}::jsonb
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id, platform) do update set
  options = excluded.options || listing_defaults.options, updated_at = now()
where not listing_defaults.options ?& array(select jsonb_object_keys(excluded.options))
