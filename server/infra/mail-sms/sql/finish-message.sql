-- What became of a message, as who took it last tells. Its content is erased where nobody will read it again.
update outbox_message
set status = ${status}, last_error = ${last_error}, claimed_until = null,
  sent_at = case when ${status} = 'sent' then now() end,
  encrypted_message = case when ${keep} then encrypted_message end
where id = ${id} and status = 'sending' and attempts = ${attempts}
