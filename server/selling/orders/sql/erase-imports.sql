-- Deletes a shop's imports without items. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select job.user_id, job.uid
  from import_job job
  where job.user_id = ${user_id} and job.seller_account_uid = ${seller_account_uid}
  limit ${limit}
), gone as (
  delete from import_job job
  using next
  where job.user_id = next.user_id and job.uid = next.uid
  returning 1
)
select (select count(*) from next) as found, (select count(*) from gone) as erased
