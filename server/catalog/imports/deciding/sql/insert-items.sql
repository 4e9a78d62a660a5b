-- Inserts the items that an import makes, with their listings and first state, in one statement.
with made as materialized (
  select *
  from json_to_recordset(${rows}::json) as row (
    item_uid text, sku text, product_id text, offer_id text, title text, description text, attributes jsonb,
    images text[], condition_label text, condition_notes text, inspected_at date, evidence_urls text[],
    price_minor bigint, currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text, listing_id text, listing_url text, listing_state text, listing_sku text,
    listed_at timestamptz, details_unread boolean
  )
), items as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url
  )
  select ${user_id}, item_uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url
  from made
), listings as (
  insert into channel_listing (
    user_id, seller_account_uid, listing_id, item_uid, platform, url, state, sku, price_minor, currency, listed_at,
    observed_at, for_sale_since, details_due_at
  )
  select ${user_id}, ${seller_account_uid}, listing_id, item_uid, ${platform}, listing_url, listing_state, listing_sku,
    price_minor, currency, listed_at, observed_at, case when listing_state = 'available' then observed_at end,
    case when details_unread then now() end
  from made
)
insert into inventory_history (user_id, item_uid, version, actor, to_state, reason, reference)
select ${user_id}, item_uid, 1, 'import', state, ${reason}, ${job_uid}
from made
