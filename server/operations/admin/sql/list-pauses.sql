-- Returns the paused platforms.
select platform, paused_at from platform_pause order by platform
