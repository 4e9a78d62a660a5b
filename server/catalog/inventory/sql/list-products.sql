-- Returns a page of a user's products in the order of their ids.
select product_id, (array_agg(title order by uid desc))[1] as title, count(*)::integer as items,
  (count(*) filter (where state = 'available'))::integer as available
from inventory_item
where user_id = ${user_id} and redirect_uid is null and (${after}::text is null or product_id > ${after})
group by product_id
order by product_id
limit ${limit}
