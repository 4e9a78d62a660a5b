-- Takes open alerts that nobody was told of by mail, with the address where the seller wants one: a proven address, and a
-- kind that the settings name. Alerts without an address count as told.
with due as (
  select user_id, uid
  from alert
  where state = 'open' and notified_at is null
  order by created_at
  limit ${count}
  for update skip locked
), told as (
  update alert set notified_at = now()
  from due
  where alert.user_id = due.user_id and alert.uid = due.uid
  returning alert.*
)
select told.user_id, told.uid, told.kind, told.reference, told.item_uid, told.message, told.platform,
  told.data ->> 'listing_url' as listing_url, told.data ->> 'external_order_id' as external_order_id, item.title,
  case
    when holder.state = 'active' and holder.email_verified
      and told.kind = any(coalesce(settings.alert_mails, ${usual_kinds}::text[])) then holder.email
  end as email
from told
join app_user holder on holder.id = told.user_id
left join seller_settings settings on settings.user_id = told.user_id
left join inventory_item item on item.user_id = told.user_id and item.uid = told.item_uid
