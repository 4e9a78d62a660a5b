-- Locks a user's inventory until the transaction ends, so that two imports cannot take the same SKU or make the same
-- item twice.
select pg_advisory_xact_lock(4802, ${user_id})
