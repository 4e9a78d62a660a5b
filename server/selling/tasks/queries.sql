-- import type { TakeDownAttempt } from '#shared/contract/selling/tasks.ts'

-- name: getTaskPicture
-- Returns the address of a picture of the item that an open task is to list. Null if the item has no such picture.
select item.images[:n::int + 1] as url
from extension_task task
join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = :user_id and task.uid = :uid and task.kind = 'list' and task.status = 'open'

-- name: listTasks
-- type attempt: TakeDownAttempt
-- Returns a page of the user's tasks, newest first, each with its item as it is now: those in a status, those that an
-- extension tried by itself, both, or one task.
select task.uid, task.kind, task.status, task.platform, task.item_uid as inventory_item_uid,
  coalesce(item.title, '') as "title!", item.images[1] as image, task.reason, task.url, task.listing_id, task.price_minor,
  task.currency, task.created_at, task.attempt,
  -- Sold on another marketplace, with nothing unclear about the sale. An item that is held, withdrawn, marked as sold by the
  -- seller or perhaps still there is no such item.
  task.kind = 'delist' and task.status = 'open' and task.cause not in ('user', 'bulk', 'mark_sold') and item.state is not distinct from 'sold'
  and exists (
    select from sale
    where sale.user_id = :user_id and sale.item_uid = task.item_uid and not sale.cancelled
      and sale.platform not in ('outside', task.platform)
  ) and not exists (
    select from alert
    where alert.user_id = :user_id and alert.state = 'open' and alert.kind in ('sale_refunded', 'sale_unclear')
      and alert.item_uid = task.item_uid
  ) as "sold_elsewhere!"
from extension_task task
left join inventory_item item on item.user_id = task.user_id and item.uid = task.item_uid
where task.user_id = :user_id and (:uid?::text is null or task.uid = :uid) and (:status?::text is null or task.status = :status)
  and (not :attempted or task.attempt is not null)
  and (:before?::text is null or task.uid < :before)
order by task.uid desc
limit :limit

-- name: openTask
-- Inserts a task, or returns the open one that asks for the same. If the seller asks for a task to
-- end a listing, it becomes theirs and no longer ends with the sale that asked first. A sold item that only the seller can
-- take down gets an alert, to be mailed after :notify_ms, unless the seller has put one about this task aside.
with taken_over as (
  update extension_task set cause = :cause, cause_ref = :cause_ref?, reason = :reason
  where user_id = :user_id and item_uid = :item_uid and platform = :platform and kind = 'delist' and :kind = 'delist'
    and listing_id = :listing_id? and status = 'open' and :cause in ('user', 'bulk') and cause not in ('user', 'bulk')
), opened as (
  insert into extension_task (
    user_id, uid, kind, platform, item_uid, seller_account_uid, reason, url, listing_id, price_minor, currency, cause, cause_ref
  )
  values (
    :user_id, :uid, :kind, :platform, :item_uid, :seller_account_uid?, :reason, :url, :listing_id,
    :price_minor?, :currency?, :cause, :cause_ref
  )
  on conflict do nothing
  returning uid
), alerted as (
  insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, notify_at)
  select item.user_id, :alert_uid, 'delist_overdue', item.uid, :platform, :listing_id, :alert_message,
    jsonb_build_object(
      'listing_id', :listing_id, 'listing_url', :url, 'seller_account_uid', :seller_account_uid
    ), now() + :notify_ms * interval '1 millisecond'
  from inventory_item item
  where :is_manual and item.user_id = :user_id and item.uid = :item_uid
    and (item.state = 'sold' or item.state = 'reserved' and :cause not in ('user', 'bulk'))
    and (exists (select from opened) or not exists (
      select from alert aside
      where aside.user_id = :user_id and aside.kind = 'delist_overdue' and aside.item_uid = :item_uid
        and aside.reference = :listing_id and aside.state = 'dismissed'
    ))
  on conflict do nothing
)
select uid from opened
