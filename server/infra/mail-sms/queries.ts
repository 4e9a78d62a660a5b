// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns whether no text has left since one of the last ten minutes had to wait, or was refused with a code that
 * concerns every text. */
export const areTextsRefused = statement<{ codes: readonly (string | null)[] }, { are_texts_refused: boolean }>(
  'infra/mail-sms/areTextsRefused',
  ['codes'],
  `select exists (
  select from outbox_message refused
  where refused.channel = 'sms' and refused.created_at > now() - interval '10 minutes'
    and (refused.status in ('waiting', 'sending', 'expired') and refused.last_error is not null
      or refused.status = 'failed' and substring(refused.last_error from 'code (\\d+)') = any($1))
    and not exists (
      select from outbox_message sent
      where sent.channel = 'sms' and sent.status = 'sent' and sent.created_at > now() - interval '20 minutes'
        and sent.sent_at > refused.created_at
    )
) as are_texts_refused`,
)

/** Claims a message for longer than the timeout of a provider. No row if it was sent or given up, or another worker is
 * sending it. */
export const claimMessage = statement<{ id: string }, { id: string; channel: 'mail' | 'sms'; template: string; encrypted_message: Buffer; attempts: number; last_error: string | null; expired: boolean }>(
  'infra/mail-sms/claimMessage',
  ['id'],
  `update outbox_message
set status = 'sending', attempts = attempts + 1, claimed_until = now() + interval '1 minute'
from (select now() as now) clock
where id = $1 and (status = 'waiting' or (status = 'sending' and claimed_until < now()))
returning id, channel, template, encrypted_message as encrypted_message, attempts, last_error,
  expires_at < clock.now as expired`,
)

/** Records the outcome of a message, as reported by its last claimant. Erases the content once nobody needs it. */
export const finishMessage = statement<{ status: string; last_error: string | null; keep: boolean; id: string; attempts: number }, void>(
  'infra/mail-sms/finishMessage',
  ['status', 'last_error', 'keep', 'id', 'attempts'],
  `update outbox_message
set status = $1, last_error = $2, claimed_until = null,
  sent_at = case when $1 = 'sent' then clock.now end,
  encrypted_message = case when $3 then encrypted_message end
from (select now() as now) clock
where id = $4 and status = 'sending' and attempts = $5`,
)

/** Inserts a message to send. No row if its cause has one already. */
export const insertMessage = statement<{ id: string; user_id: number | null; channel: string; template: string; encrypted_message: Buffer; dedupe_key: string | null; expires_in: number }, { id: string }>(
  'infra/mail-sms/insertMessage',
  ['id', 'user_id', 'channel', 'template', 'encrypted_message', 'dedupe_key', 'expires_in'],
  `insert into outbox_message (id, user_id, channel, template, encrypted_message, dedupe_key, expires_at)
values ($1, $2, $3, $4, $5, $6,
  now() + $7 * interval '1 second')
on conflict (dedupe_key) do nothing
returning id`,
)

/** Returns whether another worker has claimed a message and not yet recorded the outcome. */
export const isBeingSent = statement<{ id: string }, { is_being_sent: boolean }>(
  'infra/mail-sms/isBeingSent',
  ['id'],
  `select exists (select from outbox_message where id = $1 and status = 'sending') as is_being_sent`,
)

/** Returns the newest messages whose content still exists. */
export const listMessages = statement<{ limit: number | string }, { id: string; channel: 'mail' | 'sms'; template: string; status: 'waiting' | 'sending' | 'sent' | 'failed' | 'expired'; encrypted_message: Buffer; created_at: string; sent_at: string | null }>(
  'infra/mail-sms/listMessages',
  ['limit'],
  `select id, channel, template, status, encrypted_message as encrypted_message, created_at, sent_at
from outbox_message
where encrypted_message is not null
order by created_at desc, id
limit $1`,
)
