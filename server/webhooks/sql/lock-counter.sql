-- Locks a user's counter. No event is numbered until the transaction ends, and its next query sees all earlier ones.
select from event_counter where user_id = ${user_id} for update
