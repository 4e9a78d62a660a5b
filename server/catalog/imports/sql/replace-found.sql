-- Replaces the listing of an import item by a newer reading.
update import_item item set
  found = row.found,
  observed_at = ${observed_at},
  external_sku = row.external_sku,
  listing_title = case when row.listing_title = '' then item.listing_title else row.listing_title end,
  listing_price = row.listing_price
from json_to_recordset(${rows}::json) as row (
  uid text, found jsonb, external_sku text, listing_title text, listing_price text
)
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = row.uid
