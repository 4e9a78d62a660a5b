-- Returns a page of a bulk job's rows in the order of the request. Long texts are cut, so that a page of a hundred
-- stays below 4 MB.
select item_uid as inventory_item_uid, platform, status, listing_id, left(listing_url, 4000) as listing_url, error_code,
  left(error_message, 2000) as error_message, verified_at
from bulk_item
where user_id = ${user_id} and job_uid = ${uid} and (${status}::text is null or status = ${status})
order by position
limit ${limit} offset ${offset}
