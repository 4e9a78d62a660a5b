-- Updates the item that another was merged into. It keeps its data, and takes the other's aliases and, if it had none,
-- its SKU.
update inventory_item kept set
  sku = coalesce(kept.sku, ${sku}),
  aliases = kept.aliases || array(
    select alias from inventory_item merged, unnest(merged.aliases) as alias
    where merged.user_id = ${user_id} and merged.uid = ${item_uid} and alias <> all(kept.aliases)
  ),
  version = kept.version + 1, updated_at = now()
where kept.user_id = ${user_id} and kept.uid = ${into_uid}
