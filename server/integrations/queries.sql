-- name: listPausedPlatforms
-- Returns the platforms that an operator has paused.
select platform from platform_pause
