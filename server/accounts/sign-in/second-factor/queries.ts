// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Stores a new secret that must be confirmed within :seconds s. No row if one is in use. */
export const beginTotp = statement<{ user_id: number; encrypted_secret: Buffer; seconds: number }, { expires_at: string }>(
  'accounts/sign-in/second-factor/beginTotp',
  ['user_id', 'encrypted_secret', 'seconds'],
  `with begun as (
  insert into totp_secret as known (user_id, encrypted_secret, created_at)
  values ($1, $2, now())
  on conflict (user_id) do update set
    encrypted_secret = excluded.encrypted_secret, created_at = excluded.created_at, last_step = 0
  where known.confirmed_at is null
  returning created_at
)
select created_at + $3 * interval '1 second' as expires_at from begun`,
)

/** Enables the second factor, and marks the given code as used. */
export const confirmTotp = statement<{ step: number | string; user_id: number }, { user_id: number }>(
  'accounts/sign-in/second-factor/confirmTotp',
  ['step', 'user_id'],
  `update totp_secret set confirmed_at = now(), last_step = $1 where user_id = $2 and confirmed_at is null
returning user_id`,
)

/** Returns the second factors that a sign-in to an account requires. */
export const findState = statement<{ user_id: number }, { totp_confirmed_at: string | null; recovery_codes_left: number; passkeys: number }>(
  'accounts/sign-in/second-factor/findState',
  ['user_id'],
  `select
  (select confirmed_at from totp_secret where user_id = $1) as totp_confirmed_at,
  (select count(*)::integer from recovery_code where user_id = $1 and used_at is null) as recovery_codes_left,
  (select count(*)::integer from passkey where user_id = $1) as passkeys`,
)

/** Returns an account's secret: in use, or waiting for its first code for at most :seconds s. */
export const findTotp = statement<{ user_id: number; seconds: number }, { encrypted_secret: Buffer; is_confirmed: boolean }>(
  'accounts/sign-in/second-factor/findTotp',
  ['user_id', 'seconds'],
  `select encrypted_secret, confirmed_at is not null as is_confirmed
from totp_secret
where user_id = $1 and (confirmed_at is not null or created_at > now() - $2 * interval '1 second')`,
)

/** Disables the second factor. No row if it was off. */
export const removeTotp = statement<{ user_id: number }, { user_id: number }>(
  'accounts/sign-in/second-factor/removeTotp',
  ['user_id'],
  `with codes as (
  delete from recovery_code where user_id = $1
)
delete from totp_secret where user_id = $1 and confirmed_at is not null returning user_id`,
)

/** Replaces all recovery codes. `hashes`: 32 bytes each. */
export const replaceRecoveryCodes = statement<{ user_id: number; hashes: readonly (Buffer | null)[] }, void>(
  'accounts/sign-in/second-factor/replaceRecoveryCodes',
  ['user_id', 'hashes'],
  `with ended as (
  delete from recovery_code where user_id = $1
)
insert into recovery_code (user_id, code_hash)
select $1, code_hash from unnest($2::bytea[]) as fresh (code_hash)`,
)

/** Uses a recovery code up. Only one of several concurrent requests gets the row. */
export const useRecoveryCode = statement<{ user_id: number; code_hash: Buffer }, { user_id: number }>(
  'accounts/sign-in/second-factor/useRecoveryCode',
  ['user_id', 'code_hash'],
  `update recovery_code set used_at = now()
where user_id = $1 and code_hash = $2 and used_at is null
returning user_id`,
)

/** Uses up the code of a 30-second step. Only one of several concurrent requests gets the row; an older or equal
 * step gets none. */
export const useStep = statement<{ step: number | string; user_id: number }, { user_id: number }>(
  'accounts/sign-in/second-factor/useStep',
  ['step', 'user_id'],
  `update totp_secret set last_step = $1
where user_id = $2 and confirmed_at is not null
  and (last_step < $1 or last_step > $1 + 2)
returning user_id`,
)
