-- Stores a subscription as Stripe reported it, unless something newer is known.
insert into stripe_subscription (customer_id, subscription_id, status, ends_at, renews, reported_at)
values (${customer_id}, ${subscription_id}, ${status}, to_timestamp(${ends_at}), ${renews}, to_timestamp(${reported_at}))
on conflict (customer_id, subscription_id) do update set
  status = excluded.status, ends_at = excluded.ends_at, renews = excluded.renews, reported_at = excluded.reported_at
where stripe_subscription.reported_at <= excluded.reported_at
returning subscription_id
