-- Inserts items that a seller adds, with their first state in the history, in one statement.
with made as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url, file_row
  )
  select ${user_id}, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url, file_row
  from json_to_recordset(${items}::json) as item (
    uid text, sku text, product_id text, offer_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text, file_row text
  )
  returning uid, state
)
insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
select ${user_id}, uid, 1, 'user', state, 'Added by the seller'
from made
