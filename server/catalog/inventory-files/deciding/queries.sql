-- import type { Attributes } from '#shared/contract/catalog/inventory.ts'

-- name: deleteAdded
-- Deletes items that a file added, unless something happened to them since: an act in their history, a listing, an order
-- or an operation. Returns the deleted items.
delete from inventory_item item
where item.user_id = :user_id and item.uid = any(:item_uids::text[]) and item.redirect_uid is null
  and not exists (
    select from inventory_history act
    where act.user_id = :user_id and act.item_uid = item.uid and act.version > 1
  )
  and not exists (
    select from channel_listing listing where listing.user_id = :user_id and listing.item_uid = item.uid
  )
  and not exists (select from order_line line where line.user_id = :user_id and line.item_uid = item.uid)
  and not exists (
    select from listing_operation operation where operation.user_id = :user_id and operation.item_uid = item.uid
  )
returning item.uid, item.sku, item.images

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

-- name: findCopies
-- Returns the photos of items that were copied, with the addresses of their copies.
select item_uid, photo.source as "source!", photo.copy as "copy!"
from image_copy
cross join lateral unnest(sources, copies) as photo (source, copy)
where user_id = :user_id and item_uid = any(:uids::text[]) and photo.copy <> photo.source

-- name: lockItems
-- Locks items until the transaction ends, in the order of their ids, so that two of us do not block each other.
select uid
from inventory_item
where user_id = :user_id and uid = any(:uids::text[])
order by uid
for update

-- name: findTwins
-- type attributes: Attributes | null
-- Returns items whose SKU is one of these but for case, blanks, dashes, commas, leading zeros and a decimal zero, which
-- spreadsheets change, items that alone have one of these pictures, also where it was copied since, and items that alone
-- have one of these titles in lower case.
with given as materialized (
  select distinct sku, regexp_replace(lower(regexp_replace(sku, '[\s,‐–—_-]|\.0+$', '', 'g')), '^0+(?=.)', '') as folded
  from unnest(:skus::text[]) as sku
), pictures as materialized (
  select picture, min(item.uid) as uid, min(item.sku) as sku, min(item.title) as title,
    (array_agg(item.attributes))[1] as attributes
  from inventory_item item
  left join image_copy copy on copy.user_id = :user_id and copy.item_uid = item.uid
  cross join lateral (select distinct unnest(item.images || copy.sources) as picture) of_item
  where item.user_id = :user_id and item.redirect_uid is null and picture = any(:pictures::text[])
  group by picture
  having count(*) = 1
)
select item.uid as "uid!", given.sku as "given?", null as "picture?", item.sku as "sku?", item.title as "title!",
  null::jsonb as attributes
from inventory_item item
join given on given.folded = regexp_replace(lower(regexp_replace(item.sku, '[\s,‐–—_-]|\.0+$', '', 'g')), '^0+(?=.)', '')
where item.user_id = :user_id and item.redirect_uid is null
union all
select uid, null, picture, sku, title, attributes from pictures
union all
select min(uid), null, null, min(sku), min(title), (array_agg(attributes))[1]
from inventory_item
where user_id = :user_id and redirect_uid is null and lower(trim(title)) = any(:titles::text[])
group by lower(trim(title))
having count(*) = 1
