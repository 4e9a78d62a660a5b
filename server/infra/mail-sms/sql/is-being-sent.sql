-- Returns whether another worker has claimed a message and not yet recorded the outcome.
select exists (select from outbox_message where id = ${id} and status = 'sending') as is_being_sent
