-- Inserts an item.
insert into inventory_item (
  user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
  inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
  returns_policy_url
)
values (
  ${user_id}, ${uid}, ${sku}, ${product_id}, ${offer_id}, ${title}, ${description}, ${attributes:json},
  ${images}::text[], ${condition_label}, ${condition_notes}, ${inspected_at}, ${evidence_urls}::text[], ${price_minor},
  ${currency}, ${state}, ${observed_at}, ${seller_url}, ${shipping_policy_url}, ${returns_policy_url}
)
