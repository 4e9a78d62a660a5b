-- Deletes the next orders to fetch of a shop. Returns how many there were, and how many nobody else deleted.
with next as materialized (
  select platform, external_order_id, external_line_id
  from order_fetch_request
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
  limit ${limit}
), gone as (
  delete from order_fetch_request event
  using next
  where event.user_id = ${user_id} and event.platform = next.platform
    and event.external_order_id = next.external_order_id and event.external_line_id = next.external_line_id
    and event.seller_account_uid = ${seller_account_uid}
  returning 1
)
select (select count(*) from next) as found, (select count(*) from gone) as erased
