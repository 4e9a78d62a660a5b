-- Takes the fields that a listing got off the alert about its refused update, and resolves the alert with the last one.
update alert set
  data = data || jsonb_build_object('fields', (data -> 'fields') - ${fields}::text[]),
  state = case when (data -> 'fields') <@ to_jsonb(${fields}::text[]) then 'resolved' else state end,
  finished_at = case when (data -> 'fields') <@ to_jsonb(${fields}::text[]) then now() end
where user_id = ${user_id} and kind = 'update_refused' and coalesce(item_uid, '') = ${item_uid}
  and reference = ${listing_id} and state = 'open'
