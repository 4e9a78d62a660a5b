-- Changes an endpoint of its own user. Enabling it or changing its URL resets its failures. A new secret keeps the one before
-- for a while. Rotating again ends the one before that.
update webhook_endpoint set
  url = coalesce(${url}, url),
  description = coalesce(${description}, description),
  event_types = case when ${sets_types} then ${event_types}::text[] else event_types end,
  encrypted_secret = coalesce(${encrypted_secret}, encrypted_secret),
  encrypted_previous_secret = case when ${encrypted_secret}::bytea is null then encrypted_previous_secret else encrypted_secret end,
  previous_secret_until = case when ${encrypted_secret}::bytea is null then previous_secret_until
    else now() + ${previous_hours} * interval '1 hour' end,
  enabled = coalesce(${enabled}, enabled),
  disabled_reason = case when ${enabled} then null else disabled_reason end,
  failing_since = case when ${enabled} then null else failing_since end,
  failures = case when ${enabled} or ${url} <> url then 0 else failures end,
  paused_until = case when ${enabled} or ${url} <> url then null else paused_until end,
  last_delivered_at = case when ${url} <> url then null else last_delivered_at end
where user_id = ${user_id} and uid = ${uid}
returning uid, url, description, event_types, enabled, disabled_reason, created_at
