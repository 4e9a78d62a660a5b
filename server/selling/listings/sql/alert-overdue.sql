-- Alerts the seller, once, that a listing should have ended and is not confirmed to have.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
values (
  ${user_id}, ${uid}, 'delist_overdue', ${item_uid}, ${platform}, ${reference}, ${message},
  jsonb_build_object('listing_id', ${listing_id}, 'listing_url', ${listing_url}, 'operation_id', ${id})
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing
returning uid
