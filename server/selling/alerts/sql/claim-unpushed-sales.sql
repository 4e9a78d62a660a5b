-- Claims sales that were not pushed yet. Returns those to tell of: made on a marketplace within the last day, recorded
-- within the last hour, and not canceled.
with due as (
  select user_id, id
  from sale
  where pushed_at is null
  order by id
  limit ${count}
  for update skip locked
), claimed as (
  update sale set pushed_at = now()
  from due
  where sale.user_id = due.user_id and sale.id = due.id
  returning sale.*
), counted as (
  select count(*)::integer as count from claimed
)
select counted.count, told.*
from counted
left join (
  select claimed.user_id, claimed.id, claimed.item_uid, claimed.platform, item.title
  from claimed
  join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
  join marketplace_order sold on sold.user_id = claimed.user_id and sold.uid = claimed.order_uid
  where claimed.platform <> 'outside' and not claimed.cancelled and claimed.sold_at > now() - interval '1 hour'
    and sold.ordered_at > now() - interval '1 day'
) told on true
