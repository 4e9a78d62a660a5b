-- Stores what was erased for a notice. The subject is a hash, so that the receipt can be found and names nobody.
update push_receipt set subject_hash = ${subject_hash}, erased = ${erased}::jsonb
where platform = ${platform} and message_id = ${message_id}
