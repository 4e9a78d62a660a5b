-- An alert that may end by itself is mailed and pushed later than it is shown.
alter table alert add column notify_at timestamptz not null default now();
drop index alert_unnotified_idx;
create index alert_unnotified_idx on alert (notify_at) where state = 'open' and notified_at is null;

-- A canceled sale comes before a refused edit or listing. Alerts of one urgency are listed oldest first.
drop index alert_urgent_idx;
alter table alert drop column urgency;
alter table alert add column urgency smallint not null generated always as (
  case kind
    when 'connection_lost' then 70
    when 'oversell' then 50
    when 'excess_quantity' then 50
    when 'delist_overdue' then 40
    when 'orders_unread' then 35
    when 'sold_while_withdrawn' then 30
    when 'relist_offer' then 25
    else 20
  end
) stored;
create index alert_urgent_idx on alert (user_id, state, urgency desc, created_at, uid);

-- Sold items that are live where only the seller can end the listing. They are shown from now on, and not mailed: their
-- sellers have had the tasks.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, created_at, notified_at)
select task.user_id, 'alm_' || left(replace(gen_random_uuid()::text, '-', ''), 22), 'delist_overdue', task.item_uid,
  task.platform, task.listing_id, 'A sold item is still live. Only you can end the listing.',
  jsonb_build_object(
    'listing_id', task.listing_id, 'listing_url', task.url, 'seller_account_uid', task.seller_account_uid
  ), task.created_at, now()
from extension_task task
join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
  and (item.state = 'sold' or item.state = 'reserved' and task.cause not in ('user', 'bulk'))
where task.kind = 'delist' and task.status = 'open' and task.platform in ('poshmark', 'mercari', 'depop')
  and task.listing_id is not null
on conflict do nothing;
