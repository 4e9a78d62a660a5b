-- Returns the number of a user's newest event; 0 before the first.
select coalesce(max(last_seq), 0)::bigint as last_seq from event_counter where user_id = ${user_id}
