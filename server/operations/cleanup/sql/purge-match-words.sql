-- Removes the words of items by which imports find the same item elsewhere, of accounts without an import in 30 days.
-- The next import indexes them again.
delete from match_item where ctid = any(array(
  select word.ctid
  from app_user account
  join match_item word on word.user_id = account.id
  where not exists (
    select from import_job job
    where job.user_id = account.id and (job.created_at > now() - interval '30 days' or job.completed_at is null)
  )
  limit ${limit}
  for update of word skip locked
))
