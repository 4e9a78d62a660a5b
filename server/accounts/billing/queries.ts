// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns a user's checkout, and begins it if there is none. No row if the account is closed. */
export const beginCheckout = statement<{ attempt: string; user_id: number }, { attempt: string; customer_id: string | null; session_id: string | null }>(
  'accounts/billing/beginCheckout',
  ['attempt', 'user_id'],
  `insert into stripe_checkout (user_id, attempt)
select holder.id, $1
from (
  select id from app_user left join seller_settings shard on shard.user_id = $2
  where id = $2 and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set attempt = stripe_checkout.attempt
returning attempt, customer_id, session_id`,
)

/** Sets the beginning of an account's trial to the first connection of its first shop to any account. `least` ignores
 * nulls. */
export const beginTrial = statement<{ shop_hash: Buffer; user_id: number }, void>(
  'accounts/billing/beginTrial',
  ['shop_hash', 'user_id'],
  `with shop as (
  insert into trial_shop as known (shop_hash) values ($1)
  on conflict (shop_hash) do update set first_connected_at = known.first_connected_at
  returning first_connected_at
)
update app_user set trial_from = least(trial_from, shop.first_connected_at)
from shop
where id = $2`,
)

/** Deletes a customer that Stripe no longer has. The next attempt makes another. */
export const deleteCheckoutCustomer = statement<{ next: string; user_id: number; attempt: string }, void>(
  'accounts/billing/deleteCheckoutCustomer',
  ['next', 'user_id', 'attempt'],
  `update stripe_checkout set attempt = $1, session_id = null, customer_id = null
where user_id = $2 and attempt = $3`,
)

/** Returns everything that may entitle a user to a subscription, and the database's time. A payment made before the
 * address was verified counts once it is. */
export const findEntitlements = statement<{ user_id: number }, { at: string; trial_began_at: string; operator_until: string | null; stripe_until: string | null }>(
  'accounts/billing/findEntitlements',
  ['user_id'],
  `select
  now() as at,
  least(account.created_at, account.trial_from) as trial_began_at,
  (select ends_at from subscription_grant where user_id = $1) as operator_until,
  (
    select max(subscription.ends_at)
    from (
      select customer_id from stripe_customer where user_id = $1
      union all
      select kept.customer_id from unclaimed_customer kept
      where account.email_verified and kept.email = account.email
        and not exists (select from stripe_customer known where known.customer_id = kept.customer_id)
    ) customer
    join stripe_subscription subscription on subscription.customer_id = customer.customer_id
    where subscription.status in ('active', 'trialing', 'past_due')
  ) as stripe_until
from app_user account
where account.id = $1`,
)

/** Returns the data of a customer for Stripe, with the address only if it is verified. */
export const findPayer = statement<{ user_id: number }, { email: string | null }>(
  'accounts/billing/findPayer',
  ['user_id'],
  `select case when email_verified then email end as email from app_user where id = $1 and state = 'active'`,
)

/** Returns the subscription that counts for a user, of all their customers at Stripe: one that is not over, else the
 * one that ended last. A payment made before the address was verified counts once it is. */
export const findStripeSubscription = statement<{ user_id: number }, { customer_id: string; status: string; ends_at: string; renews: boolean | null }>(
  'accounts/billing/findStripeSubscription',
  ['user_id'],
  `select subscription.customer_id, subscription.status, subscription.ends_at, subscription.renews
from app_user account
join lateral (
  select customer_id from stripe_customer where user_id = account.id
  union
  select kept.customer_id from unclaimed_customer kept
  where account.email_verified and kept.email = account.email
    and not exists (select from stripe_customer known where known.customer_id = kept.customer_id)
) customer on true
join stripe_subscription subscription on subscription.customer_id = customer.customer_id
where account.id = $1
order by subscription.status in ('canceled', 'incomplete_expired'), subscription.status in ('active', 'trialing') desc,
  subscription.ends_at desc, subscription.subscription_id
limit 1`,
)

/** Returns the active user with this verified e-mail address. */
export const findUserByVerifiedEmail = statement<{ email: string }, { user_id: number }>(
  'accounts/billing/findUserByVerifiedEmail',
  ['email'],
  `select id as user_id from app_user where email = lower($1) and email_verified and state = 'active'`,
)

/** Returns the primary address of a user. */
export const getAddress = statement<{ user_id: number }, { full_name: string; line1: string; line2: string | null; city: string; region: string | null; postal_code: string; country: string; phone: string | null }>(
  'accounts/billing/getAddress',
  ['user_id'],
  `select full_name, line1, line2, city, region, postal_code, country, phone
from postal_address
where user_id = $1`,
)

/** Links a Stripe customer to an active user. An existing owner stays. Returns a row if the customer is theirs now. */
export const linkCustomer = statement<{ customer_id: string; user_id: number }, { user_id: number }>(
  'accounts/billing/linkCustomer',
  ['customer_id', 'user_id'],
  `insert into stripe_customer (user_id, customer_id)
select id, $1 from app_user where id = $2 and state = 'active'
on conflict (customer_id) do update set customer_id = excluded.customer_id
where stripe_customer.user_id = excluded.user_id
returning user_id`,
)

/** Returns a user's customers at Stripe, with the payment page that may be open. */
export const listStripeCustomers = statement<{ user_id: number }, { customer_ids: string[]; session_id: string | null }>(
  'accounts/billing/listStripeCustomers',
  ['user_id'],
  `select coalesce(array_agg(customer_id order by customer_id), '{}') as customer_ids,
  (select session_id from stripe_checkout where user_id = $1) as session_id
from stripe_customer
where user_id = $1`,
)

/** Begins another checkout after one that is over or refused. Only one of several concurrent requests begins it. */
export const nextCheckout = statement<{ next: string; user_id: number; attempt: string }, void>(
  'accounts/billing/nextCheckout',
  ['next', 'user_id', 'attempt'],
  `update stripe_checkout set attempt = $1, session_id = null where user_id = $2 and attempt = $3`,
)

/** Sets the primary address of a user. No row if the account is closed. */
export const putAddress = statement<{ full_name: string; line1: string; line2: string | null; city: string; region: string | null; postal_code: string; country: string; phone: string | null; user_id: number }, { user_id: number }>(
  'accounts/billing/putAddress',
  ['full_name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'phone', 'user_id'],
  `insert into postal_address (user_id, full_name, line1, line2, city, region, postal_code, country, phone)
select id, $1, $2, $3, $4, $5, $6, $7, $8
from (
  select id from app_user left join seller_settings shard on shard.user_id = $9
  where id = $9 and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set
  full_name = excluded.full_name, line1 = excluded.line1, line2 = excluded.line2, city = excluded.city,
  region = excluded.region, postal_code = excluded.postal_code, country = excluded.country, phone = excluded.phone,
  updated_at = excluded.updated_at
returning user_id`,
)

/** Stores the customer that was made for a user at Stripe. The first one stays. */
export const storeCheckoutCustomer = statement<{ customer_id: string; user_id: number }, { customer_id: string }>(
  'accounts/billing/storeCheckoutCustomer',
  ['customer_id', 'user_id'],
  `update stripe_checkout set customer_id = coalesce(customer_id, $1)
where user_id = $2
returning customer_id as customer_id`,
)

/** Stores the open payment page of a user, unless its attempt is over. */
export const storeCheckoutSession = statement<{ session_id: string; user_id: number; attempt: string }, void>(
  'accounts/billing/storeCheckoutSession',
  ['session_id', 'user_id', 'attempt'],
  `update stripe_checkout set session_id = $1 where user_id = $2 and attempt = $3`,
)

/** Stores a subscription as Stripe reported it, unless something newer is known. */
export const storeSubscription = statement<{ customer_id: string; subscription_id: string; status: string; ends_at: number; renews: boolean; reported_at: number }, { subscription_id: string }>(
  'accounts/billing/storeSubscription',
  ['customer_id', 'subscription_id', 'status', 'ends_at', 'renews', 'reported_at'],
  `insert into stripe_subscription (customer_id, subscription_id, status, ends_at, renews, reported_at)
values ($1, $2, $3, to_timestamp($4), $5, to_timestamp($6))
on conflict (customer_id, subscription_id) do update set
  status = excluded.status, ends_at = excluded.ends_at, renews = excluded.renews, reported_at = excluded.reported_at
where stripe_subscription.reported_at <= excluded.reported_at
returning subscription_id`,
)

/** Stores a paying customer without a verified account, with the address at Stripe. A customer of an account is not
 * stored. */
export const storeUnclaimed = statement<{ customer_id: string; email: string | null }, void>(
  'accounts/billing/storeUnclaimed',
  ['customer_id', 'email'],
  `insert into unclaimed_customer (customer_id, email)
select $1, lower($2)
where not exists (select from stripe_customer where customer_id = $1)
on conflict (customer_id) do update set email = excluded.email, created_at = excluded.created_at`,
)
