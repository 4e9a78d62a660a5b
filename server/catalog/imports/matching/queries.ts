// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { Attributes } from '#shared/contract/catalog/inventory.ts'

/** Returns for each listing the few items that share its rarest words and may be the same. Leaves out items that have a
 * live listing on this platform or were sold there. Words of hundreds of items say nothing and are not followed, so
 * that the cost does not grow with the inventory. */
export const findCandidates = statement<{ rows: unknown; user_id: number; most: number; few: number | string; platform: string | null }, { listing_id: string; uid: string; title: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; attributes: Attributes; price_minor: number; currency: string; images: string[] }>(
  'catalog/imports/matching/findCandidates',
  ['rows', 'user_id', 'most', 'few', 'platform'],
  `with given as materialized (
  select row.listing_id, word
  from json_to_recordset($1::json) as row (listing_id text, text text)
  cross join lateral unnest(tsvector_to_array(to_tsvector('simple', row.text))) as word
), counted as materialized (
  select word, (
    select count(*)
    from (
      select from match_word known where known.user_id = $2 and known.word = asked.word limit $3 + 1
    ) having_it
  ) as items
  from (select distinct word from given) asked
), hits as (
  select given.listing_id, known.item_uid, sum(1.0 / counted.items) as weight, count(*) as shared
  from counted
  join given on given.word = counted.word
  join match_word known on known.user_id = $2 and known.word = counted.word
  where counted.items between 1 and $3
  group by given.listing_id, known.item_uid
), best as (
  select listing_id, item_uid, row_number() over (partition by listing_id order by weight desc, item_uid) as place
  from hits
  where shared >= 2
)
select best.listing_id as listing_id, item.uid, item.title, item.state, item.attributes, item.price_minor, item.currency, item.images
from best
join inventory_item item on item.user_id = $2 and item.uid = best.item_uid
where best.place <= $4 and item.redirect_uid is null
  and not exists (
    select from channel_listing listing
    where listing.user_id = $2 and listing.item_uid = item.uid and listing.platform = $5
      and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
  )
order by best.listing_id, best.place`,
)

/** Deletes the words of items that changed since they were indexed. */
export const forgetChanged = statement<{ user_id: number }, void>(
  'catalog/imports/matching/forgetChanged',
  ['user_id'],
  `delete from match_item known
using inventory_item item
where known.user_id = $1 and item.user_id = known.user_id and item.uid = known.item_uid
  and item.version <> known.version`,
)

/** Indexes the words of a user's next items from a uid on. Leaves out items that are live on this platform, were sold
 * there (`findCandidates`) or are indexed already. Returns the last uid (null: all done) and whether there is anything
 * to compare with. Includes later items of other platforms with a smaller uid, from workers whose clocks lag. */
export const indexItems = statement<{ user_id: number; after: string; platform: string | null; limit: number | string; other_platforms: readonly (string | null)[]; since: string }, { reached: string | null; newest: string | null; comparable: boolean }>(
  'catalog/imports/matching/indexItems',
  ['user_id', 'after', 'platform', 'limit', 'other_platforms', 'since'],
  `with next as materialized (
  select item.uid
  from inventory_item item
  where item.user_id = $1 and item.uid > $2 and item.redirect_uid is null
    and (
      select true from match_item known where known.user_id = $1 and known.item_uid = item.uid limit 1
    ) is null
    and (
      select true from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = item.uid and listing.platform = $3
        and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
      limit 1
    ) is null
  order by item.uid
  limit $4
), late as materialized (
  select distinct item.uid
  from channel_listing elsewhere
  join inventory_item item on item.user_id = elsewhere.user_id and item.uid = elsewhere.item_uid
  where elsewhere.user_id = $1 and elsewhere.platform = any($5)
    and elsewhere.item_uid > $6 and elsewhere.item_uid <= $2
    and (
      select true from match_item known where known.user_id = $1 and known.item_uid = item.uid limit 1
    ) is null
    and (
      select true from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = item.uid and listing.platform = $3
        and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
      limit 1
    ) is null
), fresh as materialized (
  select item.uid, item.version, item.title, item.attributes ->> 'brand' as brand, item.sku
  from inventory_item item
  where item.user_id = $1 and item.uid = any(array(select uid from next union select uid from late))
  for key share of item
), known as (
  insert into match_item (user_id, item_uid, version)
  select $1, uid, version from fresh
  on conflict do nothing
), words as (
  insert into match_word (user_id, word, item_uid)
  select $1, word, fresh.uid
  from fresh
  cross join lateral unnest(tsvector_to_array(to_tsvector('simple', concat_ws(' ', title, brand, sku)))) as word
  on conflict do nothing
)
select
  case when (select count(*) from next) = $4 then (select max(uid) from next) end as reached,
  (select max(uid) from inventory_item where user_id = $1) as newest,
  (exists (select 1 from fresh) or exists (select 1 from match_item where user_id = $1)) as comparable`,
)

/** Returns the stored hashes of pictures. A picture that could not be read is left out after a day, so that it is tried
 * again. */
export const readPhotoHashes = statement<{ user_id: number; hashes: readonly (Buffer | null)[] }, { url_hash: Buffer; hash: Buffer | null }>(
  'catalog/imports/matching/readPhotoHashes',
  ['user_id', 'hashes'],
  `select url_hash, hash
from photo_hash
where user_id = $1 and url_hash = any($2::bytea[]) and (hash is not null or read_at > now() - interval '1 day')`,
)

/** Stores hashes of pictures, null for pictures that could not be read. */
export const storePhotoHashes = statement<{ user_id: number; rows: unknown }, void>(
  'catalog/imports/matching/storePhotoHashes',
  ['user_id', 'rows'],
  `insert into photo_hash (user_id, url_hash, hash)
select $1, decode(row.url_hash, 'hex'), decode(row.hash, 'hex')
from json_to_recordset($2::json) as row (url_hash text, hash text)
on conflict (user_id, url_hash) do update set hash = excluded.hash, read_at = excluded.read_at`,
)
