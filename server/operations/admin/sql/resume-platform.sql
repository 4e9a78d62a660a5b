-- Resumes calls to a platform. No row if it was not paused.
delete from platform_pause where platform = ${platform} returning paused_at
