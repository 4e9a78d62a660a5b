-- The item that another was merged into keeps what it says; a SKU that it had not it takes, and the other's addresses.
update inventory_item kept set
  sku = coalesce(kept.sku, ${sku}),
  aliases = kept.aliases || array(
    select alias from inventory_item merged, unnest(merged.aliases) as alias
    where merged.user_id = ${user_id} and merged.uid = ${item_uid} and alias <> all(kept.aliases)
  ),
  version = kept.version + 1, updated_at = now()
where kept.user_id = ${user_id} and kept.uid = ${into_uid}
