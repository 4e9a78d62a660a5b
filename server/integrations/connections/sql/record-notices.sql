-- Records the state of a shop's sale notices. A failure keeps the old state and is retried in an hour. Returns the
-- seller's address when the consent first turns out to lack the permission, so that one mail asks for it.
with before as (
  select account.user_id, account.uid, account.sale_notices, app_user.email
  from seller_account account
  join app_user on app_user.id = account.user_id
  where account.user_id = ${user_id} and account.uid = ${seller_account_uid}
  for update of account
)
update seller_account account set
  sale_notices = case when ${is_failed} then account.sale_notices else ${state} end,
  notices_checked_at = case when ${is_failed} then now() - interval '23 hours' else account.notices_checked_at end
from before
where account.user_id = before.user_id and account.uid = before.uid
returning case
  when not ${is_failed} and ${state} = 'consent_needed' and before.sale_notices is distinct from 'consent_needed'
    then before.email
end as asked_email
