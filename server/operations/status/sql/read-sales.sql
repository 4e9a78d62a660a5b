-- Returns for each platform the sales and oversells of the window.
select marketplace_order.platform,
  (count(*) filter (where line.state in ('sold', 'held')))::integer as sales,
  (count(*) filter (where alert.uid is not null))::integer as oversells
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
left join alert on alert.user_id = line.user_id and alert.kind = 'oversell'
  and alert.reference = line.order_uid || '/' || line.external_line_id
where line.recorded_at > ${from}
group by marketplace_order.platform
