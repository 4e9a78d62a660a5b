-- Adds the rows that a step erased to the receipt of its notice.
update push_receipt set
  erased = erased || jsonb_build_object(${what}::text, coalesce((erased ->> ${what})::integer, 0) + ${count}::integer)
where platform = ${platform} and message_id = ${message_id}
