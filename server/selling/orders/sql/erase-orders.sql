-- Renames the next orders of a shop, so that they keep what was sold and for how much but no id of the platform.
-- Returns how many there were, and how many nobody else renamed.
with next as materialized (
  select uid
  from marketplace_order
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and external_order_id <> 'erased-' || uid
  order by uid
  limit ${limit}
), changed as (
  update marketplace_order ordered set external_order_id = 'erased-' || ordered.uid
  from next
  where ordered.user_id = ${user_id} and ordered.uid = next.uid and ordered.external_order_id <> 'erased-' || ordered.uid
  returning 1
)
select (select count(*) from next) as found, (select count(*) from changed) as erased
