-- Whether there is any bulk job that is not over.
select 1 as one from bulk_job where status in ('pending', 'in_progress') limit 1
