-- Holds a user's counter: no event is numbered until the transaction ends, and its next query sees all that were.
select from event_counter where user_id = ${user_id} for update
