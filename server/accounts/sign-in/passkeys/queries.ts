// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Deletes a passkey of its own user. */
export const deletePasskey = statement<{ user_id: number; uid: string }, { name: string }>(
  'accounts/sign-in/passkeys/deletePasskey',
  ['user_id', 'uid'],
  `delete from passkey where user_id = $1 and uid = $2 returning name`,
)

/** Returns a passkey of an active account. */
export const findCredential = statement<{ credential_id: string }, { user_id: number; uid: string; public_key: Buffer; counter: string | number; transports: string[] }>(
  'accounts/sign-in/passkeys/findCredential',
  ['credential_id'],
  `select passkey.user_id, passkey.uid, passkey.public_key, passkey.counter, passkey.transports
from passkey
join app_user on app_user.id = passkey.user_id
where passkey.credential_id = $1 and app_user.state = 'active'`,
)

/** Inserts a passkey challenge that is valid for :seconds s. */
export const insertChallenge = statement<{ token_hash: Buffer; user_id: number | null; purpose: string; challenge: string; seconds: number }, { expires_at: string }>(
  'accounts/sign-in/passkeys/insertChallenge',
  ['token_hash', 'user_id', 'purpose', 'challenge', 'seconds'],
  `insert into passkey_challenge (token_hash, user_id, purpose, challenge, expires_at)
values ($1, $2, $3, $4, now() + $5 * interval '1 second')
returning expires_at`,
)

/** Inserts a passkey. No row if it is registered already. */
export const insertPasskey = statement<{ user_id: number; credential_id: string; public_key: Buffer; counter: number | string; transports: readonly (string | null)[]; name: string }, { uid: string; name: string; created_at: string; last_used_at: string | null }>(
  'accounts/sign-in/passkeys/insertPasskey',
  ['user_id', 'credential_id', 'public_key', 'counter', 'transports', 'name'],
  `insert into passkey (user_id, credential_id, public_key, counter, transports, name)
values ($1, $2, $3, $4, $5::text[], $6)
on conflict (credential_id) do nothing
returning uid, name, created_at, last_used_at`,
)

/** Returns a user's passkeys for the browser, so that it makes no second one in the same place. */
export const listCredentials = statement<{ user_id: number }, { id: string; transports: string[] }>(
  'accounts/sign-in/passkeys/listCredentials',
  ['user_id'],
  `select credential_id as id, transports from passkey where user_id = $1`,
)

/** Returns a user's passkeys, newest first. */
export const listPasskeys = statement<{ user_id: number }, { uid: string; name: string; created_at: string; last_used_at: string | null }>(
  'accounts/sign-in/passkeys/listPasskeys',
  ['user_id'],
  `select uid, name, created_at, last_used_at from passkey where user_id = $1 order by created_at desc, uid`,
)

/** Renames a passkey of its own user. */
export const renamePasskey = statement<{ name: string; user_id: number; uid: string }, { uid: string; name: string; created_at: string; last_used_at: string | null }>(
  'accounts/sign-in/passkeys/renamePasskey',
  ['name', 'user_id', 'uid'],
  `update passkey set name = $1 where user_id = $2 and uid = $3 returning uid, name, created_at, last_used_at`,
)

/** Deletes and returns a challenge. Only one of several concurrent requests gets it. */
export const takeChallenge = statement<{ token_hash: Buffer; purpose: string; user_id: number | null }, { challenge: string }>(
  'accounts/sign-in/passkeys/takeChallenge',
  ['token_hash', 'purpose', 'user_id'],
  `delete from passkey_challenge
where token_hash = $1 and purpose = $2 and user_id is not distinct from $3 and expires_at > now()
returning challenge`,
)

/** Records the use of a passkey, if its counter is still the one that was checked. */
export const touchPasskey = statement<{ newCounter: number | string; user_id: number; uid: string; counter: number | string }, { uid: string }>(
  'accounts/sign-in/passkeys/touchPasskey',
  ['newCounter', 'user_id', 'uid', 'counter'],
  `update passkey set counter = $1, last_used_at = now()
where user_id = $2 and uid = $3 and counter = $4
returning uid`,
)
