-- name: areTextsRefused
-- Returns whether no text has left since one of the last ten minutes had to wait, or was refused with a code that
-- concerns every text.
select exists (
  select from outbox_message refused
  where refused.channel = 'sms' and refused.created_at > now() - interval '10 minutes'
    and (refused.status in ('waiting', 'sending', 'expired') and refused.last_error is not null
      or refused.status = 'failed' and substring(refused.last_error from 'code (\d+)') = any(:codes))
    and not exists (
      select from outbox_message sent
      where sent.channel = 'sms' and sent.status = 'sent' and sent.created_at > now() - interval '20 minutes'
        and sent.sent_at > refused.created_at
    )
) as "are_texts_refused!"

-- name: claimMessage
-- Claims a message for longer than the timeout of a provider. No row if it was sent or given up, or another worker is
-- sending it.
update outbox_message
set status = 'sending', attempts = attempts + 1, claimed_until = now() + interval '1 minute'
from (select now() as now) clock
where id = :id and (status = 'waiting' or (status = 'sending' and claimed_until < now()))
returning id, channel, template, encrypted_message as "encrypted_message!", attempts, last_error,
  expires_at < clock.now as "expired!"

-- name: finishMessage
-- Records the outcome of a message, as reported by its last claimant. Erases the content once nobody needs it.
update outbox_message
set status = :status, last_error = :last_error?, claimed_until = null,
  sent_at = case when :status = 'sent' then clock.now end,
  encrypted_message = case when :keep then encrypted_message end
from (select now() as now) clock
where id = :id and status = 'sending' and attempts = :attempts

-- name: insertMessage
-- Inserts a message to send. No row if its cause has one already.
insert into outbox_message (id, user_id, channel, template, encrypted_message, dedupe_key, expires_at)
values (:id, :user_id?, :channel, :template, :encrypted_message, :dedupe_key?,
  now() + :expires_in * interval '1 second')
on conflict (dedupe_key) do nothing
returning id

-- name: isBeingSent
-- Returns whether another worker has claimed a message and not yet recorded the outcome.
select exists (select from outbox_message where id = :id and status = 'sending') as "is_being_sent!"

-- name: listMessages
-- Returns the newest messages whose content still exists.
select id, channel, template, status, encrypted_message as "encrypted_message!", created_at, sent_at
from outbox_message
where encrypted_message is not null
order by created_at desc, id
limit :limit
