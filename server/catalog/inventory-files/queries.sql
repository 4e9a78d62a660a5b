-- name: findKnown
-- Returns the items that the rows of a file are about: by uid, by SKU, or made by such a row. Merged items are not in the
-- inventory, and only the row that made one still means it.
select uid, sku, file_row, redirect_uid
from inventory_item
where user_id = :user_id
  and (
    redirect_uid is null and (uid = any(:uids::text[]) or sku = any(:skus::text[]))
    or file_row = any(:file_rows::text[])
  )

-- name: lockItems
-- Locks items until the transaction ends, in the order of their ids, so that two of us do not block each other.
select uid
from inventory_item
where user_id = :user_id and uid = any(:uids::text[])
order by uid
for update
