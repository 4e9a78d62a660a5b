-- Links customers who paid before they verified their address to the account that has verified it since. Removes the
-- addresses of customers that no account has claimed within 90 days.
with removed as (
  delete from unclaimed_customer where ctid = any(array(
    select kept.ctid
    from unclaimed_customer kept
    left join app_user account
      on account.email = kept.email and account.email_verified and account.state = 'active'
    where account.id is not null or kept.created_at < now() - interval '90 days'
    limit ${limit}
    for update of kept skip locked
  ))
  returning customer_id, email
), claimed as (
  insert into stripe_customer (user_id, customer_id)
  select account.id, removed.customer_id
  from removed
  join app_user account on account.email = removed.email and account.email_verified and account.state = 'active'
  on conflict (customer_id) do nothing
)
select customer_id from removed
