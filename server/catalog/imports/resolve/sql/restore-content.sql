-- Gives an item the content that it had before it was overwritten.
update inventory_item item set
  sku = was.sku, offer_id = was.offer_id, title = was.title, description = was.description, attributes = was.attributes,
  images = was.images, condition_label = was.condition_label, condition_notes = was.condition_notes,
  inspected_at = was.inspected_at, evidence_urls = was.evidence_urls, price_minor = was.price_minor,
  currency = was.currency, seller_url = was.seller_url, shipping_policy_url = was.shipping_policy_url,
  returns_policy_url = was.returns_policy_url
from jsonb_populate_record(null::inventory_item, ${content:json}::jsonb) was
where item.user_id = ${user_id} and item.uid = ${item_uid}
