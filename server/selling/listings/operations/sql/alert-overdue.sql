-- Alerts the seller, once, that a listing should have ended and is not confirmed to have. Before it is overdue, only of an
-- item that is sold, or held by an order, and unless the seller has put the alert aside. An alert that is shown already is
-- mailed once it is overdue.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, notify_at)
select ${user_id}, ${uid}, 'delist_overdue', ${item_uid}, ${platform}, ${reference}, ${message},
  jsonb_build_object('listing_id', ${listing_id}, 'listing_url', ${listing_url}, 'operation_id', ${id}),
  now() + ${notify_ms} * interval '1 millisecond'
where ${is_overdue} or exists (
  select from inventory_item item
  where item.user_id = ${user_id} and item.uid = ${item_uid}
    and (item.state = 'sold' or item.state = 'reserved' and ${cause} not in ('user', 'bulk'))
) and not exists (
  select from alert aside
  where aside.user_id = ${user_id} and aside.kind = 'delist_overdue' and aside.item_uid = ${item_uid}
    and aside.reference = ${reference} and aside.state = 'dismissed' and aside.data ->> 'operation_id' = ${id}::text
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open'
do update set notify_at = least(alert.notify_at, excluded.notify_at)
