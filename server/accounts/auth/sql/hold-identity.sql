-- Lets one transaction at a time decide about an identity that may have no row yet.
select pg_advisory_xact_lock(hashtextextended(${provider} || ' ' || ${subject}, 0))
