-- name: beginCheckout
-- Returns a user's checkout, and begins it if there is none. No row if the account is closed.
insert into stripe_checkout (user_id, attempt)
select holder.id, :attempt
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set attempt = stripe_checkout.attempt
returning attempt, customer_id, session_id

-- name: beginTrial
-- Sets the beginning of an account's trial to the first connection of its first shop to any account. `least` ignores
-- nulls.
with shop as (
  insert into trial_shop as known (shop_hash) values (:shop_hash)
  on conflict (shop_hash) do update set first_connected_at = known.first_connected_at
  returning first_connected_at
)
update app_user set trial_from = least(trial_from, shop.first_connected_at)
from shop
where id = :user_id

-- name: deleteCheckoutCustomer
-- Deletes a customer that Stripe no longer has. The next attempt makes another.
update stripe_checkout set attempt = :next, session_id = null, customer_id = null
where user_id = :user_id and attempt = :attempt

-- name: findEntitlements
-- Returns everything that may entitle a user to a subscription, and the database's time. A payment made before the
-- address was verified counts once it is.
select
  now() as "at!",
  least(account.created_at, account.trial_from) as "trial_began_at!",
  (select ends_at from subscription_grant where user_id = :user_id) as operator_until,
  (
    select max(subscription.ends_at)
    from (
      select customer_id from stripe_customer where user_id = :user_id
      union all
      select kept.customer_id from unclaimed_customer kept
      where account.email_verified and kept.email = account.email
        and not exists (select from stripe_customer known where known.customer_id = kept.customer_id)
    ) customer
    join stripe_subscription subscription on subscription.customer_id = customer.customer_id
    where subscription.status in ('active', 'trialing', 'past_due')
  ) as stripe_until
from app_user account
where account.id = :user_id

-- name: findPayer
-- Returns the data of a customer for Stripe, with the address only if it is verified.
select case when email_verified then email end as email from app_user where id = :user_id and state = 'active'

-- name: findStripeSubscription
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
where account.id = :user_id
order by subscription.status in ('canceled', 'incomplete_expired'), subscription.status in ('active', 'trialing') desc,
  subscription.ends_at desc, subscription.subscription_id
limit 1

-- name: findUserByVerifiedEmail
-- Returns the active user with this verified e-mail address.
select id as user_id from app_user where email = lower(:email) and email_verified and state = 'active'

-- name: getAddress
-- Returns the primary address of a user.
select full_name, line1, line2, city, region, postal_code, country, phone
from postal_address
where user_id = :user_id

-- name: linkCustomer
-- Links a Stripe customer to an active user. An existing owner stays. Returns a row if the customer is theirs now.
insert into stripe_customer (user_id, customer_id)
select id, :customer_id from app_user where id = :user_id and state = 'active'
on conflict (customer_id) do update set customer_id = excluded.customer_id
where stripe_customer.user_id = excluded.user_id
returning user_id

-- name: listStripeCustomers
-- Returns a user's customers at Stripe, with the payment page that may be open.
select coalesce(array_agg(customer_id order by customer_id), '{}') as "customer_ids!",
  (select session_id from stripe_checkout where user_id = :user_id) as session_id
from stripe_customer
where user_id = :user_id

-- name: nextCheckout
-- Begins another checkout after one that is over or refused. Only one of several concurrent requests begins it.
update stripe_checkout set attempt = :next, session_id = null where user_id = :user_id and attempt = :attempt

-- name: putAddress
-- Sets the primary address of a user. No row if the account is closed.
insert into postal_address (user_id, full_name, line1, line2, city, region, postal_code, country, phone)
select id, :full_name, :line1, :line2?, :city, :region?, :postal_code, :country, :phone?
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set
  full_name = excluded.full_name, line1 = excluded.line1, line2 = excluded.line2, city = excluded.city,
  region = excluded.region, postal_code = excluded.postal_code, country = excluded.country, phone = excluded.phone,
  updated_at = excluded.updated_at
returning user_id

-- name: storeCheckoutCustomer
-- Stores the customer that was made for a user at Stripe. The first one stays.
update stripe_checkout set customer_id = coalesce(customer_id, :customer_id)
where user_id = :user_id
returning customer_id as "customer_id!"

-- name: storeCheckoutSession
-- Stores the open payment page of a user, unless its attempt is over.
update stripe_checkout set session_id = :session_id where user_id = :user_id and attempt = :attempt

-- name: storeSubscription
-- Stores a subscription as Stripe reported it, unless something newer is known.
insert into stripe_subscription (customer_id, subscription_id, status, ends_at, renews, reported_at)
values (:customer_id, :subscription_id, :status, to_timestamp(:ends_at), :renews, to_timestamp(:reported_at))
on conflict (customer_id, subscription_id) do update set
  status = excluded.status, ends_at = excluded.ends_at, renews = excluded.renews, reported_at = excluded.reported_at
where stripe_subscription.reported_at <= excluded.reported_at
returning subscription_id

-- name: storeUnclaimed
-- Stores a paying customer without a verified account, with the address at Stripe. A customer of an account is not
-- stored.
insert into unclaimed_customer (customer_id, email)
select :customer_id, lower(:email?)
where not exists (select from stripe_customer where customer_id = :customer_id)
on conflict (customer_id) do update set email = excluded.email, created_at = excluded.created_at
