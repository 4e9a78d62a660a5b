// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Deletes the links that were mailed to a user, of one purpose or of all. */
export const deleteMailboxTokens = statement<{ user_id: number; purpose: string | null }, void>(
  'accounts/email-verification/deleteMailboxTokens',
  ['user_id', 'purpose'],
  `delete from mailbox_token where user_id = $1 and ($2::text is null or purpose = $2)`,
)

/** Returns the token of a link with its account, and whether it is valid: unused, in time, of an active account that
 * still has the address. */
export const findMailboxToken = statement<{ token_hash: Buffer; purpose: string }, { user_id: number; email: string; email_verified: boolean; is_secured: boolean; has_password: boolean; live: boolean }>(
  'accounts/email-verification/findMailboxToken',
  ['token_hash', 'purpose'],
  `select token.user_id, token.email, app_user.email_verified,
  app_user.secured_at is not null as is_secured, app_user.password_hash is not null as has_password, (
  token.used_at is null and token.expires_at > now()
  and app_user.state = 'active' and app_user.email = token.email
) as live
from mailbox_token token
join app_user on app_user.id = token.user_id
where token.token_hash = $1 and token.purpose = $2`,
)

/** Inserts a link's token, bound to the address that it is sent to. */
export const insertMailboxToken = statement<{ user_id: number; token_hash: Buffer; purpose: string; email: string; expires_in: number }, void>(
  'accounts/email-verification/insertMailboxToken',
  ['user_id', 'token_hash', 'purpose', 'email', 'expires_in'],
  `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
values ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
)

/** Records that the e-mail address belongs to the account's holder. */
export const markMailboxVerified = statement<{ user_id: number }, void>(
  'accounts/email-verification/markMailboxVerified',
  ['user_id'],
  `update app_user set email_verified = true where id = $1`,
)

/** Uses a link's token up. Only one of several concurrent requests gets the row. */
export const useMailboxToken = statement<{ user_id: number; token_hash: Buffer }, { user_id: number; email: string }>(
  'accounts/email-verification/useMailboxToken',
  ['user_id', 'token_hash'],
  `update mailbox_token set used_at = now()
where user_id = $1 and token_hash = $2 and used_at is null and expires_at > now()
returning user_id, email`,
)
