-- What a listing of an item is made of: the item, the seller's address and remembered choices.
select item.sku, item.title, item.description, item.attributes, item.images, item.condition_label, item.condition_notes,
  item.state,
  (select to_jsonb(address) - 'user_id' - 'updated_at' from postal_address address where address.user_id = item.user_id)
    as address,
  (
    select defaults.options from listing_defaults defaults
    where defaults.user_id = item.user_id and defaults.platform = ${platform}
  ) as defaults
from inventory_item item
where item.user_id = ${user_id} and item.uid = ${item_uid}
