-- Dismisses an open alert of its own user.
update alert set
  state = case when state = 'open' then 'dismissed' else state end,
  finished_at = coalesce(finished_at, now())
where user_id = ${user_id} and uid = ${uid}
returning state
