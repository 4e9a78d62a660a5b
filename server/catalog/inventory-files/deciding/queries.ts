// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { Attributes } from '#shared/contract/catalog/inventory.ts'

/** Deletes items that a file added, unless something happened to them since: an act in their history, a listing, an order
 * or an operation. Returns the deleted items. */
export const deleteAdded = statement<{ user_id: number; item_uids: readonly (string | null)[] }, { uid: string; sku: string | null; images: string[] }>(
  'catalog/inventory-files/deciding/deleteAdded',
  ['user_id', 'item_uids'],
  `delete from inventory_item item
where item.user_id = $1 and item.uid = any($2::text[]) and item.redirect_uid is null
  and not exists (
    select from inventory_history act
    where act.user_id = $1 and act.item_uid = item.uid and act.version > 1
  )
  and not exists (
    select from channel_listing listing where listing.user_id = $1 and listing.item_uid = item.uid
  )
  and not exists (select from order_line line where line.user_id = $1 and line.item_uid = item.uid)
  and not exists (
    select from listing_operation operation where operation.user_id = $1 and operation.item_uid = item.uid
  )
returning item.uid, item.sku, item.images`,
)

/** Returns the items that the rows of a file are about: by uid, by SKU, or made by such a row. Merged items are not in the
 * inventory, and only the row that made one still means it. */
export const findKnown = statement<{ user_id: number; uids: readonly (string | null)[]; skus: readonly (string | null)[]; file_rows: readonly (string | null)[] }, { uid: string; sku: string | null; file_row: string | null; redirect_uid: string | null }>(
  'catalog/inventory-files/deciding/findKnown',
  ['user_id', 'uids', 'skus', 'file_rows'],
  `select uid, sku, file_row, redirect_uid
from inventory_item
where user_id = $1
  and (
    redirect_uid is null and (uid = any($2::text[]) or sku = any($3::text[]))
    or file_row = any($4::text[])
  )`,
)

/** Returns the photos of items that were copied, with the addresses of their copies. */
export const findCopies = statement<{ user_id: number; uids: readonly (string | null)[] }, { item_uid: string; source: string; copy: string }>(
  'catalog/inventory-files/deciding/findCopies',
  ['user_id', 'uids'],
  `select item_uid, photo.source as source, photo.copy as copy
from image_copy
cross join lateral unnest(sources, copies) as photo (source, copy)
where user_id = $1 and item_uid = any($2::text[]) and photo.copy <> photo.source`,
)

/** Locks items until the transaction ends, in the order of their ids, so that two of us do not block each other. */
export const lockItems = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string }>(
  'catalog/inventory-files/deciding/lockItems',
  ['user_id', 'uids'],
  `select uid
from inventory_item
where user_id = $1 and uid = any($2::text[])
order by uid
for update`,
)

/** Returns items whose SKU is one of these but for case, blanks, dashes, commas, leading zeros and a decimal zero, which
 * spreadsheets change, items that alone have one of these pictures, also where it was copied since, and items that alone
 * have one of these titles in lower case. */
export const findTwins = statement<{ skus: readonly (string | null)[]; user_id: number; pictures: readonly (string | null)[]; titles: readonly (string | null)[] }, { uid: string; given: string | null; picture: string | null; sku: string | null; title: string; attributes: Attributes | null | null }>(
  'catalog/inventory-files/deciding/findTwins',
  ['skus', 'user_id', 'pictures', 'titles'],
  `with given as materialized (
  select distinct sku, regexp_replace(lower(regexp_replace(sku, '[\\s,‐–—_-]|\\.0+$', '', 'g')), '^0+(?=.)', '') as folded
  from unnest($1::text[]) as sku
), pictures as materialized (
  select picture, min(item.uid) as uid, min(item.sku) as sku, min(item.title) as title,
    (array_agg(item.attributes))[1] as attributes
  from inventory_item item
  left join image_copy copy on copy.user_id = $2 and copy.item_uid = item.uid
  cross join lateral (select distinct unnest(item.images || copy.sources) as picture) of_item
  where item.user_id = $2 and item.redirect_uid is null and picture = any($3::text[])
  group by picture
  having count(*) = 1
)
select item.uid as uid, given.sku as given, null as picture, item.sku as sku, item.title as title,
  null::jsonb as attributes
from inventory_item item
join given on given.folded = regexp_replace(lower(regexp_replace(item.sku, '[\\s,‐–—_-]|\\.0+$', '', 'g')), '^0+(?=.)', '')
where item.user_id = $2 and item.redirect_uid is null
union all
select uid, null, picture, sku, title, attributes from pictures
union all
select min(uid), null, null, min(sku), min(title), (array_agg(attributes))[1]
from inventory_item
where user_id = $2 and redirect_uid is null and lower(trim(title)) = any($4::text[])
group by lower(trim(title))
having count(*) = 1`,
)
