-- Writes a batch of decisions in one statement: items, their listings, their first state, and the import items.
with decided as materialized (
  select *
  from json_to_recordset(${rows}::json) as row (
    uid text, status text, conflict_type text, conflict_details text, conflict_item_uid text, error_code text,
    error_message text, resolution text, item_uid text, content json, listing json
  )
), content as materialized (
  select decided.item_uid, content.*
  from decided
  cross join lateral json_to_record(decided.content) as content (
    sku text, product_id text, offer_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text
  )
  where decided.status = 'imported'
), items as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url
  )
  select ${user_id}, item_uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url
  from content
), listings as (
  insert into channel_listing (
    user_id, seller_account_uid, listing_id, item_uid, platform, url, state, sku, price_minor, currency, listed_at,
    observed_at
  )
  select ${user_id}, ${seller_account_uid}, listing.listing_id, decided.item_uid, ${platform}, listing.url, listing.state,
    listing.sku, listing.price_minor, listing.currency, listing.listed_at, listing.observed_at
  from decided
  cross join lateral json_to_record(decided.listing) as listing (
    listing_id text, url text, state text, sku text, price_minor bigint, currency text, listed_at timestamptz,
    observed_at timestamptz
  )
  where decided.status = 'imported'
), history as (
  insert into inventory_history (user_id, item_uid, version, actor, to_state, reason, reference)
  select ${user_id}, item_uid, 1, 'import', state, ${reason}, ${job_uid}
  from content
)
update import_item item set
  status = decided.status,
  conflict_type = decided.conflict_type,
  conflict_details = decided.conflict_details,
  conflict_item_uid = decided.conflict_item_uid,
  error_code = decided.error_code,
  error_message = decided.error_message,
  resolution = decided.resolution,
  created_inventory_item_uid = decided.item_uid,
  processed_at = now(),
  action_uid = null
from decided
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = decided.uid
