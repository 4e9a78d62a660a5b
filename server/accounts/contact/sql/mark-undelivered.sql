-- Marks a sent text message as failed. No row if it was marked already or is no text message.
update outbox_message
set status = 'failed', last_error = ${last_error}, encrypted_message = null
where id = ${id} and channel = 'sms' and status = 'sent'
returning id
