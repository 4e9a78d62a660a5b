-- Returns the items that the rows of a file are about: by uid or by SKU. Merged items are not in the inventory.
select uid, sku
from inventory_item
where user_id = ${user_id} and redirect_uid is null
  and (uid = any(${uids}::text[]) or sku = any(${skus}::text[]))
