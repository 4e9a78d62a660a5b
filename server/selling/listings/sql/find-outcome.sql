-- Returns the state of an operation.
select state, accepted_at is not null as is_accepted, cancel_requested_at is not null as is_cancelled, listing_id,
  listing_url, error_code, error_message
from listing_operation
where user_id = ${user_id} and id = ${id}
