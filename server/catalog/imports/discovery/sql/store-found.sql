-- Stores the listings of a page or batch, each once per job. Returns the number of new ones.
with stored as (
  insert into import_item (
    user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price
  )
  select ${user_id}, ${job_uid}, row.uid, row.external_listing_id, row.found, ${observed_at}, row.external_sku,
    row.listing_title, row.listing_price
  from json_to_recordset(${rows}::json) as row (
    uid text, external_listing_id text, found jsonb, external_sku text, listing_title text, listing_price text
  )
  on conflict on constraint import_item_listing_key do nothing
  returning 1
)
select count(*)::integer as stored from stored
