-- A shop that was written down without a name, because nothing of it had been read, is the first one that is read. Not where
-- the account has that one already.
update seller_account nameless set
  external_id = ${external_id}, external_name = ${external_name}, url = ${url}, connected_at = now(), status = 'connected'
where nameless.user_id = ${user_id} and nameless.platform = ${platform} and nameless.external_id = ${nameless_id}
  and not exists (
    select from seller_account named
    where named.user_id = ${user_id} and named.platform = ${platform} and named.external_id = ${external_id}
  )
