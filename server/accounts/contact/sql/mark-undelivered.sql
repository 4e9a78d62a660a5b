-- Marks a sent text as failed; no row when it was marked already or is no text.
update outbox_message
set status = 'failed', last_error = ${last_error}, encrypted_message = null
where id = ${id} and channel = 'sms' and status = 'sent'
returning id
