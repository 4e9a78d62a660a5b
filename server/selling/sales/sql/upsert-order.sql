-- Stores an order as it was last reported and locks its row, so that workers that read the same order take turns. An
-- older report changes nothing but waits all the same. No row if the account is closed; an open account cannot close
-- before this transaction ends.
insert into marketplace_order (
  user_id, uid, platform, seller_account_uid, external_order_id, source, status, ordered_at, modified_at
)
select app_user.id, ${uid}, ${platform}, ${seller_account_uid}, ${external_order_id}, ${source}, ${status},
  ${ordered_at}::timestamptz, ${modified_at}::timestamptz
from app_user
where app_user.id = ${user_id} and app_user.state = 'active'
for key share
on conflict (user_id, platform, external_order_id) do update set
  status = case
    when excluded.modified_at >= marketplace_order.modified_at then excluded.status
    else marketplace_order.status
  end,
  modified_at = greatest(marketplace_order.modified_at, excluded.modified_at),
  updated_at = now()
returning uid
