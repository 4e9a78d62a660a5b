-- Dismisses an alert of its own user. One that is over stays as it is.
update alert set
  state = case when state = 'open' then 'dismissed' else state end,
  finished_at = coalesce(finished_at, now())
where user_id = ${user_id} and uid = ${uid}
returning uid, kind, state, message, platform, item_uid, data, created_at
