// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Allows an identity token to be used again. */
export const deleteIdentityToken = statement<{ token_hash: Buffer }, void>(
  'accounts/sign-in/apple/deleteIdentityToken',
  ['token_hash'],
  `delete from used_identity_token where token_hash = $1`,
)

/** Ends the link of an identity. The row stays, so that no other account takes the identity. */
export const endLink = statement<{ user_id: number; provider: string; subject: string }, void>(
  'accounts/sign-in/apple/endLink',
  ['user_id', 'provider', 'subject'],
  `update social_link set ended_at = now(), encrypted_refresh_token = null
where user_id = $1 and provider = $2 and subject = $3 and ended_at is null`,
)

/** Returns the account of an identity at another service, and whether it still opens the account. */
export const findLink = statement<{ provider: string; subject: string }, { user_id: number; username: string; email: string | null; live: boolean }>(
  'accounts/sign-in/apple/findLink',
  ['provider', 'subject'],
  `select link.user_id, app_user.username, app_user.email,
  link.ended_at is null and app_user.state = 'active' as live
from social_link link
join app_user on app_user.id = link.user_id
where link.provider = $1 and link.subject = $2`,
)

/** Links an identity. No row if it is linked already, to any account. */
export const insertLink = statement<{ user_id: number; provider: string; subject: string; encrypted_refresh_token: Buffer | null }, { user_id: number }>(
  'accounts/sign-in/apple/insertLink',
  ['user_id', 'provider', 'subject', 'encrypted_refresh_token'],
  `insert into social_link (user_id, provider, subject, encrypted_refresh_token)
values ($1, $2, $3, $4)
on conflict (provider, subject) do nothing
returning user_id`,
)

/** Returns an account's live links to Apple, with the encrypted refresh token of each; null where none was redeemed. */
export const listGrants = statement<{ user_id: number }, { subject: string; encrypted_refresh_token: Buffer | null }>(
  'accounts/sign-in/apple/listGrants',
  ['user_id'],
  `select subject, encrypted_refresh_token from social_link
where user_id = $1 and provider = 'apple' and ended_at is null`,
)

/** Returns the account that has an e-mail address, in any state, and locks it until the transaction ends. */
export const lockEmailHolder = statement<{ email: string }, { id: number; email_verified: boolean; phone_verified: boolean; state: 'active' | 'deactivated' }>(
  'accounts/sign-in/apple/lockEmailHolder',
  ['email'],
  `select id, email_verified, phone_verified, state from app_user where email = $1 for no key update`,
)

/** Locks an identity that may have no row yet, until the transaction ends. */
export const lockIdentity = statement<{ provider: string; subject: string }, { pg_advisory_xact_lock: unknown }>(
  'accounts/sign-in/apple/lockIdentity',
  ['provider', 'subject'],
  `select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
)

/** Records the use of an identity token until it has expired by any clock. No row at the second use. */
export const recordIdentityToken = statement<{ token_hash: Buffer; expires_at: string | Date }, { token_hash: Buffer }>(
  'accounts/sign-in/apple/recordIdentityToken',
  ['token_hash', 'expires_at'],
  `insert into used_identity_token (token_hash, expires_at)
values ($1, $2::timestamptz + interval '5 minutes')
on conflict (token_hash) do nothing
returning token_hash`,
)

/** Stores the newest refresh token of a linked identity. */
export const storeRefreshToken = statement<{ encrypted_refresh_token: Buffer | null; user_id: number; provider: string; subject: string }, void>(
  'accounts/sign-in/apple/storeRefreshToken',
  ['encrypted_refresh_token', 'user_id', 'provider', 'subject'],
  `update social_link set encrypted_refresh_token = $1
where user_id = $2 and provider = $3 and subject = $4 and ended_at is null`,
)

/** Takes the address, and the password that goes with it, from an account that never verified it. */
export const takeEmailAway = statement<{ user_id: number }, void>(
  'accounts/sign-in/apple/takeEmailAway',
  ['user_id'],
  `update app_user set email = null, password_hash = null where id = $1 and not email_verified`,
)
