-- Takes the user's replay lock until the transaction ends; false if it is taken. Does not wait.
select pg_try_advisory_xact_lock(4803, ${user_id}) as is_free
