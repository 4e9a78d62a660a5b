// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Makes an account the owner of the installation, which has no other. */
export const claimOwnership = statement<{ user_id: number }, void>(
  'accounts/registration/claimOwnership',
  ['user_id'],
  `update app_user set is_owner = true where id = $1`,
)

/** Deletes all invitations, so that their links open nothing. */
export const deleteInvitations = statement<object, void>(
  'accounts/registration/deleteInvitations',
  [],
  `delete from invitation`,
)

/** Leaves the installation without an owner, until the same transaction names one. */
export const giveUpOwnership = statement<object, void>(
  'accounts/registration/giveUpOwnership',
  [],
  `update app_user set is_owner = false where is_owner`,
)

/** Inserts an invitation, and deletes those that have expired. */
export const insertInvitation = statement<{ token_hash: Buffer; expires_in: number }, { expires_at: string }>(
  'accounts/registration/insertInvitation',
  ['token_hash', 'expires_in'],
  `with expired as (
  delete from invitation where expires_at <= now()
)
insert into invitation (token_hash, expires_at) values ($1, now() + $2 * interval '1 second')
returning expires_at`,
)

/** Locks the making of the first account until the transaction ends. */
export const lockFirstAccount = statement<object, { pg_advisory_xact_lock: unknown }>(
  'accounts/registration/lockFirstAccount',
  [],
  `select pg_advisory_xact_lock(hashtextextended('hapax: the first account', 0))`,
)

/** Returns whether an invitation is unused and in time or, without one, whether there is no account yet. */
export const mayRegister = statement<{ token_hash: Buffer | null }, { may_register: boolean }>(
  'accounts/registration/mayRegister',
  ['token_hash'],
  `select case
  when $1::bytea is null then not exists (select from app_user)
  else exists (select from invitation where token_hash = $1 and expires_at > now())
end as may_register`,
)

/** Returns what the owner of the installation is shown: invitations that can be used, the end of the last backup, and
 * whether the account and the installation are older than a backup may be. */
export const readOwned = statement<{ late_after_seconds: number; user_id: number }, { invitations: number; backed_up_at: string | null; backup_is_late: boolean }>(
  'accounts/registration/readOwned',
  ['late_after_seconds', 'user_id'],
  `select
  (select count(*)::integer from invitation where expires_at > now()) as invitations,
  backup.finished_at as backed_up_at,
  coalesce(backup.finished_at, account.created_at) < now() - $1 * interval '1 second' as backup_is_late
from app_user account
left join last_backup backup on true
where account.id = $2 and account.is_owner and account.state = 'active'`,
)

/** Records that a backup has just ended. */
export const recordBackup = statement<object, void>(
  'accounts/registration/recordBackup',
  [],
  `insert into last_backup as known (id) values (true)
on conflict (id) do update set finished_at = excluded.finished_at`,
)

/** Uses an invitation up. Only one of several concurrent requests gets the row. */
export const useInvitation = statement<{ token_hash: Buffer }, { token_hash: Buffer }>(
  'accounts/registration/useInvitation',
  ['token_hash'],
  `delete from invitation where token_hash = $1 and expires_at > now() returning token_hash`,
)
