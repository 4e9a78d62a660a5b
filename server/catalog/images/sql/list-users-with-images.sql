-- Returns the accounts with images that were not seen in use for a day.
select distinct user_id from image where used_at < now() - interval '1 day'
