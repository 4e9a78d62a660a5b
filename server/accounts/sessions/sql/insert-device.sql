-- Records a device of an account, once a day at most. `is_new`: the account has signed in before, but never from this
-- device.
with noted as (
  insert into known_device as known (user_id, device)
  values (${user_id}, ${device})
  on conflict (user_id, device) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
  returning xmax = 0 as is_inserted
)
select email,
  coalesce((select is_inserted from noted), false)
    and exists (select from known_device where user_id = ${user_id} and device <> ${device}) as is_new
from app_user
where id = ${user_id}
