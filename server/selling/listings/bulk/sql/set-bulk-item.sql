-- Sets the result of a bulk job's row, or the operation that does it.
update bulk_item set
  status = ${status}, operation_id = ${operation_id}, listing_id = ${listing_id}, listing_url = ${listing_url},
  error_code = ${error_code}, error_message = ${error_message}
where user_id = ${user_id} and job_uid = ${uid} and position = ${position} and status = 'pending'
