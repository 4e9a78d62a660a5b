-- Holds the one place that a user has for a replay until the transaction ends; false when it is taken. Waits for nothing.
select pg_try_advisory_xact_lock(4803, ${user_id}) as is_free
