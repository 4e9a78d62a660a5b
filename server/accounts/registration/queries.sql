-- name: claimOwnership
-- Makes an account the owner of the installation, which has no other.
update app_user set is_owner = true where id = :user_id

-- name: deleteInvitations
-- Deletes all invitations, so that their links open nothing.
delete from invitation

-- name: giveUpOwnership
-- Leaves the installation without an owner, until the same transaction names one.
update app_user set is_owner = false where is_owner

-- name: insertInvitation
-- Inserts an invitation, and deletes those that have expired.
with expired as (
  delete from invitation where expires_at <= now()
)
insert into invitation (token_hash, expires_at) values (:token_hash, now() + :expires_in * interval '1 second')
returning expires_at

-- name: lockFirstAccount
-- Locks the making of the first account until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('hapax: the first account', 0))

-- name: mayRegister
-- Returns whether an invitation is unused and in time or, without one, whether there is no account yet.
select case
  when :token_hash?::bytea is null then not exists (select from app_user)
  else exists (select from invitation where token_hash = :token_hash? and expires_at > now())
end as "may_register!"

-- name: readOwned
-- Returns what the owner of the installation is shown: invitations that can be used, the end of the last backup, and
-- whether the account and the installation are older than a backup may be.
select
  (select count(*)::integer from invitation where expires_at > now()) as "invitations!",
  backup.finished_at as "backed_up_at?",
  coalesce(backup.finished_at, account.created_at) < now() - :late_after_seconds * interval '1 second' as "backup_is_late!"
from app_user account
left join last_backup backup on true
where account.id = :user_id and account.is_owner and account.state = 'active'

-- name: recordBackup
-- Records that a backup has just ended.
insert into last_backup as known (id) values (true)
on conflict (id) do update set finished_at = excluded.finished_at

-- name: useInvitation
-- Uses an invitation up. Only one of several concurrent requests gets the row.
delete from invitation where token_hash = :token_hash and expires_at > now() returning token_hash
