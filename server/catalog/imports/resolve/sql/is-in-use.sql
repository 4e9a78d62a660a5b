-- Returns whether something depends on a listing or on a decision about it: an order of the listing, an operation on it, or
-- the question of a later import.
select exists (
    select from order_line line
    join marketplace_order taken on taken.user_id = line.user_id and taken.uid = line.order_uid
    where line.user_id = ${user_id} and line.listing_id = ${listing_id}
      and taken.seller_account_uid = ${seller_account_uid}
  ) or exists (
    select from listing_operation
    where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
      and created_at >= ${at}
  ) or exists (
    select from import_item later
    where later.user_id = ${user_id} and later.external_listing_id = ${listing_id} and later.status = 'conflict'
      and (later.job_uid, later.uid) <> (${job_uid}, ${subject_uid})
  ) as in_use
