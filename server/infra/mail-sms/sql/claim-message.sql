-- Takes a message for sending, for longer than a provider is waited for. No row when it is sent, given up, or being sent
-- by another worker.
update outbox_message
set status = 'sending', attempts = attempts + 1, claimed_until = now() + interval '1 minute'
where id = ${id} and (status = 'waiting' or (status = 'sending' and claimed_until < now()))
returning id, channel, template, encrypted_message, attempts, expires_at < now() as expired
