-- All that may make a user's subscription, and the database's time to judge it by.
select
  now() as at,
  account.created_at as created_at,
  (select ends_at from subscription_grant where user_id = ${user_id}) as operator_until,
  (
    select max(subscription.ends_at)
    from stripe_customer customer
    join stripe_subscription subscription on subscription.customer_id = customer.customer_id
    where customer.user_id = ${user_id} and subscription.status in ('active', 'trialing', 'past_due')
  ) as stripe_until
from app_user account
where account.id = ${user_id}
