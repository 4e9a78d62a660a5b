-- Stores the data of locked items, each as its next version, with an entry in its history where the item has changed.
with given as materialized (
  select *
  from json_to_recordset(${items}::json) as item (
    uid text, sku text, product_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, shipping_policy_url text, returns_policy_url text, from_state text, reason text,
    changes jsonb
  )
), changed as (
  update inventory_item item set
    sku = given.sku, product_id = given.product_id, title = given.title, description = given.description,
    attributes = given.attributes, images = given.images, condition_label = given.condition_label,
    condition_notes = given.condition_notes, inspected_at = given.inspected_at, evidence_urls = given.evidence_urls,
    price_minor = given.price_minor, currency = given.currency, state = given.state,
    shipping_policy_url = given.shipping_policy_url, returns_policy_url = given.returns_policy_url,
    version = item.version + 1, updated_at = now()
  from given
  where item.user_id = ${user_id} and item.uid = given.uid
  returning item.uid, item.version, item.state, given.from_state, given.reason, given.changes
)
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, changes)
select ${user_id}, uid, version, 'user', from_state, state, reason, changes
from changed
where from_state <> state or changes <> '[]'
