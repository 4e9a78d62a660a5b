-- Returns those of these listings that were reported as sold while they had no item.
select listing_id
from sold_report
where user_id = ${user_id} and platform = ${platform} and listing_id = any(${listing_ids}::text[])
