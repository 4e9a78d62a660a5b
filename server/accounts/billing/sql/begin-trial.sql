-- An account's trial began when its first shop was connected to any account. Null until then; `least` leaves nulls out.
with shop as (
  insert into trial_shop as known (shop_hash) values (${shop_hash})
  on conflict (shop_hash) do update set first_connected_at = known.first_connected_at
  returning first_connected_at
)
update app_user set trial_from = least(trial_from, shop.first_connected_at)
from shop
where id = ${user_id}
