-- Since when an endpoint has been failing; one that is gone, or has failed for five days, is switched off.
update webhook_endpoint set
  failing_since = case when ${delivered} then null else coalesce(failing_since, now()) end,
  enabled = enabled and not ${gone} and (${delivered} or coalesce(failing_since, now()) > now() - interval '5 days'),
  disabled_reason = case
    when not enabled then disabled_reason
    when ${gone} then 'It answered 410 Gone.'
    when not ${delivered} and coalesce(failing_since, now()) <= now() - interval '5 days' then 'It failed for five days.'
  end
where user_id = ${user_id} and uid = ${endpoint_uid}
