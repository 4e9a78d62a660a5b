-- Stores the data of a locked item, as its next version.
update inventory_item set
  sku = ${sku}, product_id = ${product_id}, title = ${title}, description = ${description},
  attributes = ${attributes:json}, images = ${images}::text[], condition_label = ${condition_label},
  condition_notes = ${condition_notes}, inspected_at = ${inspected_at}, evidence_urls = ${evidence_urls}::text[],
  price_minor = ${price_minor}, currency = ${currency}, state = ${state}, shipping_policy_url = ${shipping_policy_url},
  returns_policy_url = ${returns_policy_url}, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${uid}
