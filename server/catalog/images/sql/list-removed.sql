-- Returns images whose files are to be removed, oldest first.
select uid from removed_image order by removed_at limit 100
