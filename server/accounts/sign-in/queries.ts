// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Inserts a sign-in that passed its first step, for an active account with a second factor. No row for any other
 * account. */
export const insertStep = statement<{ token_hash: Buffer; seconds: number; user_id: number; password_hash: string | null }, { expires_at: string }>(
  'accounts/sign-in/insertStep',
  ['token_hash', 'seconds', 'user_id', 'password_hash'],
  `insert into signin_step as made (token_hash, user_id, expires_at)
select $1, holder.id, now() + $2 * interval '1 second'
from (
  select id from app_user left join seller_settings shard on shard.user_id = $3
  where id = $3 and state = 'active'
    and ($4::text is null or password_hash = $4)
  for share of app_user
) holder
join totp_secret on totp_secret.user_id = holder.id and totp_secret.confirmed_at is not null
returning made.expires_at`,
)

/** Inserts an account. No row if the username is taken (another is then tried). A taken e-mail address or phone number
 * raises an error. An address that is verified from the start belongs to the account's maker, so nobody else has a way
 * in. */
export const insertUser = statement<{ username: string; email: string | null; email_verified: boolean; phone_number: string | null; phone_verified: boolean; first_name: string; last_name: string; password_hash: string | null; is_owner: boolean }, { id: number; username: string; email: string | null; phone_verified: boolean; email_verified: boolean }>(
  'accounts/sign-in/insertUser',
  ['username', 'email', 'email_verified', 'phone_number', 'phone_verified', 'first_name', 'last_name', 'password_hash', 'is_owner'],
  `insert into app_user (username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at, is_owner)
values ($1, $2, $3, $4, $5, $6, $7,
  $8, case when $3 then now() end, $9)
on conflict (username) do nothing
returning id, username, email, phone_verified, email_verified`,
)

/** Records that the holder of a session has just proved their identity. */
export const renewVerification = statement<{ user_id: number; token_hash: Buffer }, { uid: string }>(
  'accounts/sign-in/renewVerification',
  ['user_id', 'token_hash'],
  `update bearer_token set verified_at = now() where user_id = $1 and token_hash = $2 returning uid`,
)

/** Counts an attempt at the second step before it is checked. No row if none is left, or there is no such step. */
export const tryStep = statement<{ token_hash: Buffer; max_tries: number }, { user_id: number }>(
  'accounts/sign-in/tryStep',
  ['token_hash', 'max_tries'],
  `update signin_step set tries = tries + 1
where token_hash = $1 and used_at is null and expires_at > now() and tries < $2
returning user_id`,
)

/** Uses a sign-in step up. Only one of several concurrent requests gets the row. */
export const useStepToken = statement<{ token_hash: Buffer }, { user_id: number }>(
  'accounts/sign-in/useStepToken',
  ['token_hash'],
  `update signin_step set used_at = now() where token_hash = $1 and used_at is null returning user_id`,
)
