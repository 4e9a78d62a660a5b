-- One writer at a time decides what becomes of listings of one user, so that two imports cannot both take a SKU or make
-- the same thing twice. Ends with the transaction.
select pg_advisory_xact_lock(4802, ${user_id})
