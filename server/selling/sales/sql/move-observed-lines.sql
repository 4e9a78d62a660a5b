-- Moves lines of listings that were seen as sold to their order once it is known, with their sale, alert and task: one
-- buyer is one line. Sets their time back, so that the order is never older. Returns a row per line.
with seen as (
  select line.order_uid, line.external_line_id, given.external_line_id as reported_line_id, seen_order.external_order_id as called
  from jsonb_to_recordset(${lines}::jsonb) as given (external_line_id text, listing_id text)
  -- Looked up per line: a join would read all orders of the platform.
  cross join lateral (
    select ordered.user_id, ordered.uid, ordered.external_order_id, ordered.source, ordered.seller_account_uid
    from marketplace_order ordered
    where ordered.user_id = ${user_id} and ordered.platform = ${platform}
      and ordered.external_order_id = 'listing-' || given.listing_id
    limit 1
  ) seen_order
  join order_line line on line.user_id = seen_order.user_id and line.order_uid = seen_order.uid
  where seen_order.source = 'scraped' and seen_order.seller_account_uid = ${seller_account_uid} and not exists (
    select from order_line known
    where known.user_id = ${user_id} and known.order_uid = ${order_uid} and known.external_line_id = given.external_line_id
  )
), renamed as (
  update alert set
    reference = ${order_uid} || '/' || seen.reported_line_id,
    message = replace(message, seen.called, ${external_order_id}),
    data = data || jsonb_build_object(
      'order_uid', ${order_uid}, 'external_order_id', ${external_order_id}, 'external_line_id', seen.reported_line_id
    )
  from seen
  where alert.user_id = ${user_id} and alert.reference = seen.order_uid || '/' || seen.external_line_id
), redirected as (
  update extension_task task set
    listing_id = ${external_order_id}, url = ${order_url}, cause_ref = ${order_uid},
    reason = replace(reason, seen.called, ${external_order_id})
  from seen
  where task.user_id = ${user_id} and task.kind = 'cancel_order' and task.cause_ref = seen.order_uid and task.status = 'open'
)
update order_line line set
  order_uid = ${order_uid}, external_line_id = seen.reported_line_id, modified_at = timestamptz '2000-01-01'
from seen
where line.user_id = ${user_id} and line.order_uid = seen.order_uid and line.external_line_id = seen.external_line_id
returning seen.order_uid as seen_uid
