-- Returns a row if any bulk job is open.
select 1 as one from bulk_job where status in ('pending', 'in_progress') limit 1
