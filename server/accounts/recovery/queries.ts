// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns whether an account has a reset link that stays valid for a while, and whether it has signed in from this
 * network before. */
export const findResetLink = statement<{ user_id: number; for_seconds: number; network: Buffer }, { has_link: boolean; is_known_network: boolean }>(
  'accounts/recovery/findResetLink',
  ['user_id', 'for_seconds', 'network'],
  `select exists (
  select from mailbox_token token
  where token.user_id = $1 and token.purpose = 'reset' and token.used_at is null
    and token.expires_at > now() + $2 * interval '1 second'
) as has_link, exists (
  select from known_network known where known.user_id = $1 and known.network = $3
) as is_known_network`,
)

/** Returns the account of an e-mail address, whatever its state: the caller decides what is allowed. */
export const findUserByEmail = statement<{ email: string }, { id: number; username: string; email: string; email_verified: boolean; is_secured: boolean; password_hash: string | null; state: 'active' | 'deactivated' }>(
  'accounts/recovery/findUserByEmail',
  ['email'],
  `select id, username, email as email, email_verified, secured_at is not null as is_secured, password_hash, state
from app_user where email = $1`,
)
