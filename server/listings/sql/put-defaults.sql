-- Remembers the seller's choices on a platform.
insert into listing_defaults (user_id, platform, options)
values (${user_id}, ${platform}, ${options})
on conflict (user_id, platform) do update set options = excluded.options, updated_at = now()
