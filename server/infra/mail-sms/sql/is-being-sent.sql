-- Whether another worker has taken a message for sending, and it is not known what came of it.
select exists (select from outbox_message where id = ${id} and status = 'sending') as is_being_sent
