-- A task, or the open one that already asks for the same.
insert into extension_task (
  user_id, uid, kind, platform, item_uid, seller_account_uid, reason, url, listing_id, price_minor, currency, cause, cause_ref
)
values (
  ${user_id}, ${uid}, ${kind}, ${platform}, ${item_uid}, ${seller_account_uid}, ${reason}, ${url}, ${listing_id},
  ${price_minor}, ${currency}, ${cause}, ${cause_ref}
)
on conflict do nothing
returning uid
