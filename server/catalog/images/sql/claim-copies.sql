-- Claims items whose photos are to be copied, one of each of some accounts, so that no account waits for another: of the
-- accounts in `slow`, or of all others. Counts the attempt at once, because it may end the process. An abandoned claim
-- ends after 15 minutes.
update image_copy copy set due_at = now() + interval '15 minutes', attempts = copy.attempts + 1
from (
  select waiting.user_id
  from (select distinct user_id from image_copy where due_at <= now()) waiting
  join app_user on app_user.id = waiting.user_id and app_user.state = 'active'
  where app_user.id <> all(${busy}::integer[]) and (app_user.id = any(${slow}::integer[])) = ${is_slow}
  order by random()
  limit ${accounts}
) account, lateral (
  select due.item_uid, item.images
  from image_copy due
  join inventory_item item on item.user_id = due.user_id and item.uid = due.item_uid
  where due.user_id = account.user_id and due.due_at <= now()
  order by due.due_at
  limit 1
  for update of due skip locked
) claimed
where copy.user_id = account.user_id and copy.item_uid = claimed.item_uid
returning copy.user_id, copy.item_uid, copy.attempts, copy.sources, copy.copies, claimed.images
