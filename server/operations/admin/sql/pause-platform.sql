-- Pauses all calls to a platform. No row if it is paused already.
insert into platform_pause (platform) values (${platform}) on conflict do nothing returning paused_at
