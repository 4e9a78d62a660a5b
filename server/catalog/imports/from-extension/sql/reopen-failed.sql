-- Replaces listings that failed before and were read again, so that they are decided anew.
update import_item item set
  found = row.found, observed_at = ${observed_at}, external_sku = row.external_sku, listing_title = row.listing_title,
  listing_price = row.listing_price
from json_to_recordset(${rows}::json) as row (
  external_listing_id text, found jsonb, external_sku text, listing_title text, listing_price text
)
where item.user_id = ${user_id} and item.job_uid = ${job_uid}
  and item.external_listing_id = row.external_listing_id and item.status = 'failed'
returning item.uid, item.found, item.observed_at
