-- Changes an endpoint of its own user; switched on, it begins anew, and what waited is due now.
with changed as (
  update webhook_endpoint set
    url = coalesce(${url}, url),
    description = coalesce(${description}, description),
    event_types = case when ${sets_types} then ${event_types}::text[] else event_types end,
    sealed_secret = coalesce(${sealed_secret}, sealed_secret),
    enabled = coalesce(${enabled}, enabled),
    disabled_reason = case when ${enabled} then null else disabled_reason end,
    failing_since = case when ${enabled} then null else failing_since end
  where user_id = ${user_id} and uid = ${uid}
  returning user_id, uid, url, description, event_types, enabled, disabled_reason, created_at
),
woken as (
  update webhook_delivery delivery set next_attempt_at = now(), attempts = 0
  from changed
  where ${enabled}::boolean is true and delivery.user_id = changed.user_id and delivery.endpoint_uid = changed.uid
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
)
select uid, url, description, event_types, enabled, disabled_reason, created_at from changed
