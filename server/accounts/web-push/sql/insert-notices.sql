-- Queues a notification for each browser of an active account that wants its kind. A browser that has as many waiting as
-- allowed gets no more, and one whose push service fails waits until its pause ends.
insert into web_push_notice (user_id, endpoint_hash, notice, next_attempt_at, expires_at, traceparent)
select subscription.user_id, subscription.endpoint_hash, ${notice}::jsonb, greatest(now(), subscription.paused_until),
  now() + ${ttl_seconds} * interval '1 second', ${traceparent}
from web_push_subscription subscription
join app_user holder on holder.id = subscription.user_id and holder.state = 'active'
left join seller_settings settings on settings.user_id = subscription.user_id
where subscription.user_id = ${user_id} and ${kind} = any(coalesce(settings.push_kinds, ${usual_kinds}::text[]))
  and (
    select count(*) from web_push_notice waiting
    where waiting.user_id = subscription.user_id and waiting.endpoint_hash = subscription.endpoint_hash
  ) < ${most}
returning id
