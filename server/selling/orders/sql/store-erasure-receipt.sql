-- What was erased for which notice; the subject only as a hash, so that the receipt can be found and tells nothing.
update push_receipt set subject_hash = ${subject_hash}, erased = ${erased}::jsonb
where platform = ${platform} and message_id = ${message_id}
