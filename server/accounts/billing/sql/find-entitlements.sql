-- Returns everything that may entitle a user to a subscription, and the database's time. A payment made before the
-- address was verified counts once it is.
select
  now() as at,
  least(account.created_at, account.trial_from) as trial_began_at,
  (select ends_at from subscription_grant where user_id = ${user_id}) as operator_until,
  (
    select max(subscription.ends_at)
    from (
      select customer_id from stripe_customer where user_id = ${user_id}
      union all
      select kept.customer_id from unclaimed_customer kept
      where account.email_verified and kept.email = account.email
        and not exists (select from stripe_customer known where known.customer_id = kept.customer_id)
    ) customer
    join stripe_subscription subscription on subscription.customer_id = customer.customer_id
    where subscription.status in ('active', 'trialing', 'past_due')
  ) as stripe_until
from app_user account
where account.id = ${user_id}
