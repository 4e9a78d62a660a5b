// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Inserts a code that is being sent to a phone number, as HMAC. */
export const insertChallenge = statement<{ token_hash: Buffer; purpose: string; phone_number: string; code_mac: Buffer; email: string | null; password_hash: string | null; first_name: string; last_name: string; invitation_hash: Buffer | null; expires_in: number }, { expires_at: string }>(
  'accounts/sign-in/phone/insertChallenge',
  ['token_hash', 'purpose', 'phone_number', 'code_mac', 'email', 'password_hash', 'first_name', 'last_name', 'invitation_hash', 'expires_in'],
  `insert into phone_challenge
  (token_hash, purpose, phone_number, code_mac, email, password_hash, first_name, last_name, invitation_hash, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8,
  $9, now() + $10 * interval '1 second')
returning expires_at`,
)

/** Returns the active account of a verified phone number and locks it until the transaction ends. No row if the number
 * was just removed. */
export const lockUserByPhone = statement<{ phone: string }, { id: number; username: string; email: string | null }>(
  'accounts/sign-in/phone/lockUserByPhone',
  ['phone'],
  `select id, username, email from app_user
where phone_number = $1 and phone_verified and state = 'active'
for no key update`,
)

/** Counts an attempt at a code before it is checked. No row if none is left, or there is no such code. */
export const tryChallenge = statement<{ token_hash: Buffer; purpose: string; max_tries: number }, { token_hash: Buffer; phone_number: string; code_mac: Buffer; email: string | null; password_hash: string | null; first_name: string; last_name: string; invitation_hash: Buffer | null }>(
  'accounts/sign-in/phone/tryChallenge',
  ['token_hash', 'purpose', 'max_tries'],
  `update phone_challenge set tries = tries + 1
where token_hash = $1 and purpose = $2
  and used_at is null and expires_at > now() and tries < $3
returning token_hash, phone_number, code_mac, email, password_hash, first_name, last_name, invitation_hash`,
)

/** Uses a challenge up and clears its data. Only one of several concurrent requests gets the row. */
export const useChallenge = statement<{ token_hash: Buffer }, { token_hash: Buffer }>(
  'accounts/sign-in/phone/useChallenge',
  ['token_hash'],
  `update phone_challenge set used_at = now(), password_hash = null, email = null, first_name = '', last_name = ''
where token_hash = $1 and used_at is null
returning token_hash`,
)
