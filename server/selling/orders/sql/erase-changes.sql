-- Deletes what a shop's decisions were, with the listings in them. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select change_uid, subject_uid
  from undo_step
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
  limit ${limit}
), gone as (
  delete from undo_step step
  using next
  where step.user_id = ${user_id} and step.change_uid = next.change_uid and step.subject_uid = next.subject_uid
  returning 1
)
select (select count(*) from next) as found, (select count(*) from gone) as erased
