-- Pushes that nobody will send again. An erasure's receipt is kept.
delete from push_receipt where received_at < now() - interval '30 days' and subject_hash is null
