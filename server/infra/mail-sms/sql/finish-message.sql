-- Records the outcome of a message, as reported by its last claimant. Erases the content once nobody needs it.
update outbox_message
set status = ${status}, last_error = ${last_error}, claimed_until = null,
  sent_at = case when ${status} = 'sent' then now() end,
  encrypted_message = case when ${keep} then encrypted_message end
where id = ${id} and status = 'sending' and attempts = ${attempts}
