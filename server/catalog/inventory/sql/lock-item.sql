-- Returns an item and locks it until the transaction ends. A sale waits for us, or we for it.
select uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
  inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
  returns_policy_url, aliases, redirect_uid, version, created_at, updated_at
from inventory_item
where user_id = ${user_id} and uid = ${uid}
for update
