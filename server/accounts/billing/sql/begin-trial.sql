-- Sets the beginning of an account's trial to the first connection of its first shop to any account. `least` ignores
-- nulls.
with shop as (
  insert into trial_shop as known (shop_hash) values (${shop_hash})
  on conflict (shop_hash) do update set first_connected_at = known.first_connected_at
  returning first_connected_at
)
update app_user set trial_from = least(trial_from, shop.first_connected_at)
from shop
where id = ${user_id}
