// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns whether one of these contacts belonged to an erased account. */
export const findReserved = statement<{ hashes: readonly (Buffer | null)[] }, { is_reserved: boolean }>(
  'accounts/contact/findReserved',
  ['hashes'],
  `select exists (select from reserved_contact where contact_hash = any($1::bytea[])) as is_reserved`,
)

/** Marks a sent text message as failed. No row if it was marked already or is no text message. */
export const markUndelivered = statement<{ last_error: string; id: string }, { id: string }>(
  'accounts/contact/markUndelivered',
  ['last_error', 'id'],
  `update outbox_message
set status = 'failed', last_error = $1, encrypted_message = null
where id = $2 and channel = 'sms' and status = 'sent'
returning id`,
)

/** Reserves the contacts of an erased account. */
export const reserveContacts = statement<{ hashes: readonly (Buffer | null)[] }, void>(
  'accounts/contact/reserveContacts',
  ['hashes'],
  `insert into reserved_contact (contact_hash) select unnest($1::bytea[]) on conflict do nothing`,
)
