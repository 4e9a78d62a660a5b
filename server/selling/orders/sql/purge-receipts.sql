-- Deletes receipts of push notifications that will not be sent again. An erasure's receipt stays.
delete from push_receipt where received_at < now() - interval '30 days' and subject_hash is null
