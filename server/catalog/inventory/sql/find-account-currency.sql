-- Returns what names an account's currency: its settings, its connected shops from the first connected, its address.
select
  (select default_currency from seller_settings where user_id = ${user_id}) as default_currency,
  (select country from postal_address where user_id = ${user_id}) as country,
  array(
    select currency from seller_account
    where user_id = ${user_id} and status <> 'revoked' and currency is not null
    order by connected_at, uid
  ) as shops
