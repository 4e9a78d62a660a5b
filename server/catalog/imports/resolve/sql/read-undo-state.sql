-- Returns a listing's row and an item's content as they are, to be compared and restored by an undo.
select
  (
    select to_jsonb(listing) - '{user_id,created_at,updated_at,observed_at,details_due_at}'::text[]
    from channel_listing listing
    where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id = ${listing_id}
  ) as listing,
  (
    select jsonb_build_object(
      'sku', sku, 'offer_id', offer_id, 'title', title, 'description', description, 'attributes', attributes, 'images', images,
      'condition_label', condition_label, 'condition_notes', condition_notes, 'inspected_at', inspected_at,
      'evidence_urls', evidence_urls, 'price_minor', price_minor, 'currency', currency, 'seller_url', seller_url,
      'shipping_policy_url', shipping_policy_url, 'returns_policy_url', returns_policy_url
    )
    from inventory_item
    where user_id = ${user_id} and uid = ${item_uid}
  ) as content,
  (select state from inventory_item where user_id = ${user_id} and uid = ${item_uid}) as state
