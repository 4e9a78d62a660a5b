-- Returns which of these orders were recorded as they are now. An order that has a line without an item is read again.
select marketplace_order.external_order_id,
  marketplace_order.modified_at >= reported.modified_at
    and not exists (
      select from order_line line
      where line.user_id = marketplace_order.user_id and line.order_uid = marketplace_order.uid and line.state = 'unmatched'
    )
    and (
      select count(*) from order_line line
      where line.user_id = marketplace_order.user_id and line.order_uid = marketplace_order.uid
    ) >= reported.lines as is_current
from jsonb_to_recordset(${orders}::jsonb) as reported (external_order_id text, modified_at timestamptz, lines integer)
join marketplace_order on marketplace_order.user_id = ${user_id} and marketplace_order.platform = ${platform}
  and marketplace_order.external_order_id = reported.external_order_id
