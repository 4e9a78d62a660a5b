-- Gives the account's nameless shop the name of the first shop that is read, unless the account already has that shop.
update seller_account nameless set
  external_id = ${external_id}, external_name = ${external_name}, url = ${url}, connected_at = now(), status = 'connected'
where nameless.user_id = ${user_id} and nameless.platform = ${platform} and nameless.external_id = ${nameless_id}
  and not exists (
    select from seller_account named
    where named.user_id = ${user_id} and named.platform = ${platform} and named.external_id = ${external_id}
  )
