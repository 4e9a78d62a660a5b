-- Claims open alerts that are due and were not mailed yet. Returns the seller's address if it is verified and the settings name the
-- kind. Alerts without such an address count as mailed. `is_repeated`: one about the same was claimed within a day.
with due as (
  select user_id, uid
  from alert
  where state = 'open' and notified_at is null and notify_at <= now()
  order by notify_at
  limit ${count}
  for update skip locked
), claimed as (
  update alert set notified_at = now()
  from due
  where alert.user_id = due.user_id and alert.uid = due.uid
  returning alert.*
)
select claimed.user_id, claimed.uid, claimed.kind, claimed.reference, claimed.item_uid, claimed.message, claimed.platform,
  claimed.data ->> 'listing_url' as listing_url, claimed.data ->> 'external_order_id' as external_order_id, item.title, sold.platform as sold_on,
  exists (
    select from alert earlier
    where earlier.user_id = claimed.user_id and earlier.kind = claimed.kind and earlier.uid <> claimed.uid
      and earlier.item_uid is not distinct from claimed.item_uid and earlier.reference = claimed.reference
      and earlier.notified_at > now() - interval '1 day'
  ) as is_repeated,
  case
    when holder.state = 'active' and holder.email_verified
      and claimed.kind = any(coalesce(settings.alert_mails, ${usual_kinds}::text[])) then holder.email
  end as email
from claimed
join app_user holder on holder.id = claimed.user_id
left join seller_settings settings on settings.user_id = claimed.user_id
left join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
left join sale sold on sold.user_id = claimed.user_id and sold.item_uid = claimed.item_uid and not sold.cancelled
