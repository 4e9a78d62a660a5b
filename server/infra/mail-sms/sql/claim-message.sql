-- Claims a message for longer than the timeout of a provider. No row if it was sent or given up, or another worker is
-- sending it.
update outbox_message
set status = 'sending', attempts = attempts + 1, claimed_until = now() + interval '1 minute'
where id = ${id} and (status = 'waiting' or (status = 'sending' and claimed_until < now()))
returning id, channel, template, encrypted_message, attempts, expires_at < now() as expired
