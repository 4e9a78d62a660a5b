-- Names the operation that works on an alert.
update alert set data = data || jsonb_build_object('operation_id', ${operation_id})
where user_id = ${user_id} and uid = ${uid}
