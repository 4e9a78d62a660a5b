-- A page of a bulk job's results, in the order of the request.
select item_uid as inventory_item_uid, platform, status, listing_id, listing_url, error_code, error_message, verified_at
from bulk_item
where user_id = ${user_id} and job_uid = ${uid} and (${status}::text is null or status = ${status})
order by position
limit ${limit} offset ${offset}
