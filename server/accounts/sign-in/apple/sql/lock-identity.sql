-- Locks an identity that may have no row yet, until the transaction ends.
select pg_advisory_xact_lock(hashtextextended(${provider} || ' ' || ${subject}, 0))
