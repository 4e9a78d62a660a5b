-- Inserts a list operation, or returns the open one, locked so that it does not end meanwhile. The key is that of
-- earlier operations of the item there, so that what they left is found.
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, external_key, price_minor, currency, options,
  options_to_remember, cause, cause_ref, priority, traceparent
)
values (
  ${user_id}, 'list', ${item_uid}, ${platform}, ${seller_account_uid},
  coalesce(
    (
      select external_key from listing_operation
      where user_id = ${user_id} and item_uid = ${item_uid} and platform = ${platform} and kind = 'list'
        and seller_account_uid = ${seller_account_uid}
      order by created_at desc
      limit 1
    ),
    ${external_key}
  ),
  ${price_minor}, ${currency}, ${options}, ${options_to_remember}, ${cause}, ${cause_ref}, ${priority},
  ${traceparent}
)
on conflict (user_id, item_uid, platform) where kind = 'list' and state = 'open'
do update set
  priority = greatest(listing_operation.priority, excluded.priority),
  cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
  cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
  traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end
returning id, cancel_requested_at is not null as is_cancelled
