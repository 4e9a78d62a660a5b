-- Inserts a task, or returns the open one that asks for the same. If the seller asks for a task to
-- end a listing, it becomes theirs and no longer ends with the sale that asked first.
with taken_over as (
  update extension_task set cause = ${cause}, cause_ref = ${cause_ref}, reason = ${reason}
  where user_id = ${user_id} and item_uid = ${item_uid} and platform = ${platform} and kind = 'delist' and ${kind} = 'delist'
    and listing_id = ${listing_id} and status = 'open' and ${cause} in ('user', 'bulk') and cause not in ('user', 'bulk')
)
insert into extension_task (
  user_id, uid, kind, platform, item_uid, seller_account_uid, reason, url, listing_id, price_minor, currency, cause, cause_ref
)
values (
  ${user_id}, ${uid}, ${kind}, ${platform}, ${item_uid}, ${seller_account_uid}, ${reason}, ${url}, ${listing_id},
  ${price_minor}, ${currency}, ${cause}, ${cause_ref}
)
on conflict do nothing
returning uid
