-- Returns the subscription that counts for a user, of all their customers at Stripe: one that is not over, else the
-- one that ended last. A payment made before the address was verified counts once it is.
select subscription.customer_id, subscription.status, subscription.ends_at, subscription.renews
from app_user account
join lateral (
  select customer_id from stripe_customer where user_id = account.id
  union
  select kept.customer_id from unclaimed_customer kept
  where account.email_verified and kept.email = account.email
    and not exists (select from stripe_customer known where known.customer_id = kept.customer_id)
) customer on true
join stripe_subscription subscription on subscription.customer_id = customer.customer_id
where account.id = ${user_id}
order by subscription.status in ('canceled', 'incomplete_expired'), subscription.status in ('active', 'trialing') desc,
  subscription.ends_at desc, subscription.subscription_id
limit 1
