-- Returns a page of a job's items in the order of discovery, with their total number. Long texts are cut, so that a
-- page of a hundred stays below 4 MB; a single item has its whole listing.
select uid as id, external_listing_id, external_sku, status, left(listing_title, 1000) as listing_title, listing_price, conflict_type,
  left(found ->> 'currency', 10) as listing_currency,
  case when length(found -> 'images' ->> 0) <= 2000 then found -> 'images' ->> 0 end as listing_image,
  left(conflict_details, 2000) as conflict_details, left(error_message, 2000) as error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons) end as match
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and status = any(${statuses}::text[])
order by uid
limit ${limit} offset ${offset}
