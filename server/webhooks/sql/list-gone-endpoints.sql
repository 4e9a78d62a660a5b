-- Lists deleted endpoints with remaining deliveries, by one index lookup per endpoint.
with recursive known as (
  (select user_id, endpoint_uid from webhook_delivery order by user_id, endpoint_uid limit 1)
  union all
  select next.user_id, next.endpoint_uid
  from known
  cross join lateral (
    select delivery.user_id, delivery.endpoint_uid from webhook_delivery delivery
    where (delivery.user_id, delivery.endpoint_uid) > (known.user_id, known.endpoint_uid)
    order by delivery.user_id, delivery.endpoint_uid
    limit 1
  ) next
)
select user_id, endpoint_uid from known
where not exists (
  select from webhook_endpoint endpoint where endpoint.user_id = known.user_id and endpoint.uid = known.endpoint_uid
)
