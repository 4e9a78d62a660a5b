-- Replaces an item's data by the listing's. Ids, SKU, cost and storage location stay; an item without a SKU takes the
-- listing's.
update inventory_item set
  sku = coalesce(sku, ${sku}),
  offer_id = ${offer_id}, title = ${title}, description = ${description},
  attributes = ${attributes:json}::jsonb || jsonb_strip_nulls(jsonb_build_object(
    'cost_minor', attributes -> 'cost_minor', 'storage_location', attributes -> 'storage_location'
  )),
  images = ${images}, condition_label = ${condition_label}, condition_notes = ${condition_notes},
  inspected_at = ${inspected_at}, evidence_urls = ${evidence_urls}::text[], price_minor = ${price_minor},
  currency = ${currency}, observed_at = ${observed_at}, seller_url = ${seller_url},
  shipping_policy_url = ${shipping_policy_url}, returns_policy_url = ${returns_policy_url},
  state = ${state}, version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${uid}
