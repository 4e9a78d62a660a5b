-- Deletes a batch of a deleted endpoint's deliveries after an id, skipping locked ones. Returns the last id; null at
-- the end.
with ended as (
  select id from webhook_delivery
  where user_id = ${user_id} and endpoint_uid = ${endpoint_uid} and id > ${after}
  order by id
  limit 5000
  for update skip locked
),
removed as (
  delete from webhook_delivery delivery
  using ended
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${endpoint_uid} and delivery.id = ended.id
)
select max(id) as last_id from ended
