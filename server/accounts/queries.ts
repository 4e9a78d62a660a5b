// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Ends all bearer tokens of a user but `kept_hash`, and their tickets, authorizations in progress and notifications. */
export const endSessions = statement<{ user_id: number; kept_hash: Buffer | null }, void>(
  'accounts/endSessions',
  ['user_id', 'kept_hash'],
  `with tickets as (
  delete from connect_ticket where user_id = $1
), steps as (
  delete from signin_step where user_id = $1
), states as (
  delete from oauth_state where user_id = $1
), subscriptions as (
  delete from web_push_subscription where user_id = $1 and token_hash is null
)
delete from bearer_token where user_id = $1 and token_hash is distinct from $2`,
)

/** Returns the account of a phone number, whatever its state: the caller decides what is allowed. */
export const findUserByPhone = statement<{ phone: string }, { id: number; username: string; email: string | null; phone_verified: boolean; first_name: string; last_name: string; state: 'active' | 'deactivated' }>(
  'accounts/findUserByPhone',
  ['phone'],
  `select id, username, email, phone_verified, first_name, last_name, state from app_user where phone_number = $1`,
)

/** Returns an active account. */
export const findUser = statement<{ user_id: number }, { id: number; username: string; email: string | null; email_verified: boolean; phone_number: string | null; phone_verified: boolean; first_name: string; last_name: string; password_hash: string | null; is_secured: boolean }>(
  'accounts/findUser',
  ['user_id'],
  `select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at is not null as is_secured
from app_user
where id = $1 and state = 'active'`,
)

/** Deletes the known networks of an account: a stranger's network must not count as the owner's. */
export const forgetNetworks = statement<{ user_id: number }, void>(
  'accounts/forgetNetworks',
  ['user_id'],
  `delete from known_network where user_id = $1`,
)

/** Records that only the owner of the mailbox has a way into the account. The first time counts. */
export const markSecured = statement<{ user_id: number }, void>(
  'accounts/markSecured',
  ['user_id'],
  `update app_user set secured_at = least(secured_at, now()) where id = $1`,
)

/** Records a network that an account signed in from, or that opened a link to its password. Written once a day at most. */
export const recordNetwork = statement<{ user_id: number; network: Buffer }, void>(
  'accounts/recordNetwork',
  ['user_id', 'network'],
  `insert into known_network as known (user_id, network)
values ($1, $2)
on conflict (user_id, network) do update set seen_at = excluded.seen_at
where excluded.seen_at - known.seen_at > interval '1 day'`,
)

/** Removes the phone number from an account: its former holder could sign in with it. */
export const removePhone = statement<{ user_id: number }, void>(
  'accounts/removePhone',
  ['user_id'],
  `update app_user set phone_number = null, phone_verified = false where id = $1`,
)

/** Sets the password of an account that the transaction has locked. */
export const setPassword = statement<{ password_hash: string; user_id: number }, void>(
  'accounts/setPassword',
  ['password_hash', 'user_id'],
  `update app_user set password_hash = $1 where id = $2 and state = 'active'`,
)
