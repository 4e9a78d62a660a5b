-- Returns the sales of a period, by currency.
select line.currency, count(*)::integer as sales, sum(line.price_minor)::bigint as price_minor
from sale sold
join order_line line on line.user_id = sold.user_id and line.order_uid = sold.order_uid
  and line.external_line_id = sold.external_line_id
where sold.user_id = ${user_id} and not sold.cancelled
  and (${platform}::text is null or sold.platform = ${platform})
  and (${from}::timestamptz is null or sold.sold_at >= ${from}::timestamptz)
  and (${to}::timestamptz is null or sold.sold_at < ${to}::timestamptz)
group by line.currency
order by sales desc, line.currency
