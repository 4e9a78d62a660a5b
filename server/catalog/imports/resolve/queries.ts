// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { ConflictPage } from './list-conflicts.ts'
import type { ConflictType, ImportItem } from '#shared/contract/catalog/imports.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { Listing, ListingFailure, ListingState } from '#shared/listing.ts'

/** Attaches a listing to an item, or updates it if it is attached already. It is an extra one beside another live
 * listing of the item on the platform. No row if the listing belongs to another item. */
export const attachListing = statement<{ user_id: number; seller_account_uid: string; listing_id: string; item_uid: string; platform: string; url: string | null; state: string; sku: string | null; price_minor: number | string; currency: string; listed_at: string | Date | null; observed_at: string | Date; details_unread: boolean; terms: unknown }, { item_uid: string }>(
  'catalog/imports/resolve/attachListing',
  ['user_id', 'seller_account_uid', 'listing_id', 'item_uid', 'platform', 'url', 'state', 'sku', 'price_minor', 'currency', 'listed_at', 'observed_at', 'details_unread', 'terms'],
  `insert into channel_listing as known (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at, for_sale_since, details_due_at, terms
)
select $1, $2, $3, $4, $5, $6, $7, exists (
    select from channel_listing other
    where other.user_id = $1 and other.item_uid = $4 and other.platform = $5
      and other.state in ('available', 'reserved') and not other.extra
      and (other.seller_account_uid, other.listing_id) is distinct from ($2, $3)
  ), $8, $9, $10, $11, $12,
  case when $7 = 'available' then $12::timestamptz end, case when $13 then now() end,
  $14::jsonb
on conflict (user_id, seller_account_uid, listing_id) do update set
  url = excluded.url, state = excluded.state, extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency,
  terms = coalesce(known.terms - 'sale' || excluded.terms, excluded.terms, known.terms - 'sale'),
  observed_at = greatest(known.observed_at, excluded.observed_at), updated_at = excluded.updated_at
where known.item_uid = excluded.item_uid
returning known.item_uid`,
)

/** Returns the number of open conflicts of all imports, or of one, by certainty, how many of these a decision by certainty
 * can link, and those that it leaves: another live listing of the platform agrees with the same item as well, or better.
 * Conflicts whose photos are being compared are counted apart. */
export const countConflicts = statement<{ user_id: number; job_uid: string | null }, { as_of: string; comparing: number; certain: number; likely: number; unsure: number; other: number; linkable: NonNullable<ConflictPage['linkable']>; doubtful: string[] }>(
  'catalog/imports/resolve/countConflicts',
  ['user_id', 'job_uid'],
  `with open as materialized (
  select item.job_uid, item.uid, coalesce(item.match_certainty, 'other') as certainty,
    item.match_photos is not distinct from 'comparing' as is_compared_now, mine.uid as target, job.platform,
    job.seller_account_uid, item.external_listing_id as listing_id,
    item.found ->> 'state' in ('available', 'reserved') as is_live,
    case when item.match_photos = 'comparing' then 100 else
      10 * coalesce(array_position(array['unsure', 'likely', 'certain'], item.match_certainty), 0)
      + (select count(*) from unnest(item.match_reasons) as reason where reason like 'same%')
    end as agreement
  from import_item item
  join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
  left join inventory_item named on named.user_id = item.user_id and named.uid = item.conflict_item_uid
  left join inventory_item mine on mine.user_id = item.user_id and mine.uid = coalesce(named.redirect_uid, named.uid)
  where item.user_id = $1 and item.status = 'conflict'
), best as (
  select distinct on (target, platform) target, platform, agreement, count(distinct (seller_account_uid, listing_id)) as claims
  from open
  where is_live
  group by target, platform, agreement
  order by target, platform, agreement desc
)
select now() as as_of, count(*) filter (where is_compared_now)::integer as comparing,
  count(*) filter (where not is_compared_now and certainty = 'certain')::integer as certain,
  count(*) filter (where not is_compared_now and certainty = 'likely')::integer as likely,
  count(*) filter (where not is_compared_now and certainty = 'unsure')::integer as unsure,
  count(*) filter (where not is_compared_now and certainty = 'other')::integer as other,
  jsonb_build_object(
    'certain', count(distinct linked) filter (where not is_compared_now and certainty = 'certain'),
    'likely', count(distinct linked) filter (where not is_compared_now and certainty = 'likely'),
    'unsure', count(distinct linked) filter (where not is_compared_now and certainty = 'unsure')
  ) as linkable,
  coalesce(array_agg(open.uid) filter (where is_live and (open.agreement < best.agreement or claims > 1)), '{}') as doubtful
from open
left join best using (target, platform)
cross join lateral (
  select case
    when exists (
      select from channel_listing other
      where other.user_id = $1 and other.item_uid = target and other.platform = open.platform
        and other.state in ('available', 'reserved')
        and (other.seller_account_uid, other.listing_id) is distinct from (open.seller_account_uid, open.listing_id)
    ) then null
    when is_live is not true then target || ' ' || uid
    when open.agreement = best.agreement and claims = 1 then target || ' ' || platform
  end as linked
) as link
where $2::text is null or job_uid = $2`,
)

/** Deletes locked items that nothing happened to since an import created them: no act in their history, no order, no other
 * listing, no operation. Their import items count as skipped. Returns the deleted ones. */
export const deleteUnchanged = statement<{ user_id: number; uids: readonly (string | null)[]; job_uid: string }, { uid: string; sku: string | null }>(
  'catalog/imports/resolve/deleteUnchanged',
  ['user_id', 'uids', 'job_uid'],
  `with gone as (
  delete from inventory_item item
  using import_item made
  where item.user_id = $1 and item.uid = any($2::text[]) and item.redirect_uid is null
    and made.user_id = item.user_id and made.job_uid = $3 and made.created_inventory_item_uid = item.uid
    and not exists (
      select from inventory_history act
      where act.user_id = $1 and act.item_uid = item.uid and act.version > 1
    )
    and not exists (
      select from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = item.uid and listing.listing_id <> made.external_listing_id
    )
    and not exists (select from order_line line where line.user_id = $1 and line.item_uid = item.uid)
    and not exists (
      select from listing_operation operation where operation.user_id = $1 and operation.item_uid = item.uid
    )
  returning item.uid, item.sku, made.uid as import_item_uid
), settled as (
  update import_item made set
    status = 'skipped', created_inventory_item_uid = null,
    conflict_details = case when resolution is null then 'The import was undone.' else conflict_details end
  from gone
  where made.user_id = $1 and made.job_uid = $3 and made.uid = gone.import_item_uid
)
select uid, sku from gone`,
)

/** Detaches a listing from its item. */
export const detachListing = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'catalog/imports/resolve/detachListing',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `delete from channel_listing
where user_id = $1 and seller_account_uid = $2 and listing_id = $3`,
)

/** Ends the question which item sold by a listing that was seen as sold. Returns it if it was open. */
export const endSaleQuestion = statement<{ user_id: number; platform: string; listing_id: string }, { uid: string }>(
  'catalog/imports/resolve/endSaleQuestion',
  ['user_id', 'platform', 'listing_id'],
  `update alert set state = 'resolved', finished_at = now()
where user_id = $1 and kind = 'sale_unclear' and state = 'open' and platform = $2
  and data ->> 'external_order_id' = 'listing-' || $3::text
returning uid`,
)

/** Returns an item's SKU. */
export const findItemSku = statement<{ user_id: number; uid: string }, { sku: string | null }>(
  'catalog/imports/resolve/findItemSku',
  ['user_id', 'uid'],
  `select sku
from inventory_item
where user_id = $1 and uid = $2`,
)

/** Returns the item of a seller account's listing, if any. */
export const findListing = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, { item_uid: string }>(
  'catalog/imports/resolve/findListing',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `select item_uid
from channel_listing
where user_id = $1 and seller_account_uid = $2 and listing_id = $3`,
)

/** Returns a listing of an item as a sale to record: the item is not sold, or somebody else has it, and no order of
 * this listing is known. */
export const findObservedSale = statement<{ user_id: number; seller_account_uid: string; listing_id: string; item_uid: string }, { price_minor: number; currency: string }>(
  'catalog/imports/resolve/findObservedSale',
  ['user_id', 'seller_account_uid', 'listing_id', 'item_uid'],
  `select listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = $3 and listing.item_uid = $4
  and (
    item.state <> 'sold' or exists (
      select from order_line claim
      join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
        and taker.platform <> 'outside'
      where claim.user_id = $1 and claim.item_uid = item.uid and claim.state in ('held', 'sold')
    )
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = $1 and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid and known.state <> 'cancelled'
  )`,
)

/** Returns the addresses that an item's photos were copied from. No row unless it still has these copies. */
export const findPhotoSources = statement<{ user_id: number; item_uid: string }, { sources: string[] }>(
  'catalog/imports/resolve/findPhotoSources',
  ['user_id', 'item_uid'],
  `select copy.sources
from image_copy copy
join inventory_item item on item.user_id = copy.user_id and item.uid = copy.item_uid and item.images = copy.copies
where copy.user_id = $1 and copy.item_uid = $2`,
)

/** Returns the item that has this SKU. */
export const findSkuHolder = statement<{ user_id: number; sku: string }, { uid: string }>(
  'catalog/imports/resolve/findSkuHolder',
  ['user_id', 'sku'],
  `select uid
from inventory_item
where user_id = $1 and sku = $2`,
)

/** Returns whether an item has another live listing on a platform. */
export const hasOtherLiveListing = statement<{ user_id: number; uid: string; platform: string; seller_account_uid: string; listing_id: string }, { is_live: boolean }>(
  'catalog/imports/resolve/hasOtherLiveListing',
  ['user_id', 'uid', 'platform', 'seller_account_uid', 'listing_id'],
  `select exists (
  select from channel_listing
  where user_id = $1 and item_uid = $2 and platform = $3 and state in ('available', 'reserved')
    and (seller_account_uid, listing_id) is distinct from ($4, $5)
) as is_live`,
)

/** Returns whether something depends on a listing or on a decision about it: an order of the listing, an operation on it, or
 * the question of a later import. */
export const isInUse = statement<{ user_id: number; listing_id: string; seller_account_uid: string; at: string | Date; job_uid: string | null; subject_uid: string }, { in_use: boolean }>(
  'catalog/imports/resolve/isInUse',
  ['user_id', 'listing_id', 'seller_account_uid', 'at', 'job_uid', 'subject_uid'],
  `select exists (
    select from order_line line
    join marketplace_order taken on taken.user_id = line.user_id and taken.uid = line.order_uid
    where line.user_id = $1 and line.listing_id = $2
      and taken.seller_account_uid = $3
  ) or exists (
    select from listing_operation
    where user_id = $1 and seller_account_uid = $3 and listing_id = $2
      and created_at >= $4
  ) or exists (
    select from import_item later
    where later.user_id = $1 and later.external_listing_id = $2 and later.status = 'conflict'
      and (later.job_uid, later.uid) <> ($5, $6)
  ) as in_use`,
)

/** Returns a page of the open conflicts of all imports, or of one, with both sides, those whose photos are being compared
 * last. Long texts are cut as in `listItems`. */
export const listConflicts = statement<{ user_id: number; job_uid: string | null; certainty: string | null; limit: number | string; offset: number | string }, { job_uid: string; marketplace: ConflictPage['results'][number]['marketplace']; item: Omit<ConflictPage['results'][number]['item'], 'processed_at'>; processed_at: string | null; listing: ConflictPage['results'][number]['listing']; existing: ConflictPage['results'][number]['existing'] | null; proposed: ConflictPage['results'][number]['proposed'] | null }>(
  'catalog/imports/resolve/listConflicts',
  ['user_id', 'job_uid', 'certainty', 'limit', 'offset'],
  `select item.job_uid, job.platform as marketplace,
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', item.external_listing_id, 'external_sku', left(item.external_sku, 500),
    'status', item.status, 'listing_title', left(item.listing_title, 1000), 'listing_price', item.listing_price,
    'conflict_type', item.conflict_type, 'conflict_details', left(item.conflict_details, 2000), 'error_message', null,
    'error_code', null, 'resolution', item.resolution, 'created_inventory_item_uid', null, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end
  ) as item,
  item.processed_at,
  jsonb_build_object(
    'url', item.found ->> 'url', 'image', item.found -> 'images' ->> 0, 'price_minor', item.found -> 'price_minor',
    'currency', item.found ->> 'currency'
  ) as listing,
  case when mine.uid is not null then jsonb_build_object(
    'uid', mine.uid, 'title', left(mine.title, 1000), 'image', mine.images[1], 'sku', mine.sku, 'price_minor', mine.price_minor,
    'currency', mine.currency, 'state', mine.state, 'platforms', (
      select coalesce(jsonb_agg(distinct listing.platform), '[]')
      from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = mine.uid and listing.state in ('available', 'reserved')
    )
  ) end as existing,
  case
    when match_certainty is null or mine.uid is null then null
    when item.found ->> 'state' in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = $1 and other.item_uid = mine.uid and other.platform = job.platform
        and other.state in ('available', 'reserved')
        and (other.seller_account_uid, other.listing_id) is distinct from (job.seller_account_uid, item.external_listing_id)
    ) then 'create_new'
    else 'link_existing'
  end as proposed
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
left join inventory_item named on named.user_id = item.user_id and named.uid = item.conflict_item_uid
left join inventory_item mine on mine.user_id = item.user_id and mine.uid = coalesce(named.redirect_uid, named.uid)
where item.user_id = $1 and item.status = 'conflict'
  and ($2::text is null or item.job_uid = $2)
  and ($3::text is null
    or coalesce(item.match_certainty, 'other') = $3 and item.match_photos is distinct from 'comparing')
order by item.match_photos is not distinct from 'comparing', array_position(array['certain', 'likely', 'unsure'], item.match_certainty), item.uid
limit $4 offset $5`,
)

/** Locks the next items that an import created and that still are its own, or the named ones. */
export const lockCreated = statement<{ user_id: number; job_uid: string; uids: readonly (string | null)[] | null; after: string; limit: number | string }, { uid: string }>(
  'catalog/imports/resolve/lockCreated',
  ['user_id', 'job_uid', 'uids', 'after', 'limit'],
  `select item.uid
from import_item made
join inventory_item item on item.user_id = made.user_id and item.uid = made.created_inventory_item_uid
where made.user_id = $1 and made.job_uid = $2 and made.status = 'imported'
  and (made.resolution is null or made.created_inventory_item_uid = any($3::text[]))
  and ($3::text[] is null or made.created_inventory_item_uid = any($3::text[]))
  and item.uid > $4
order by item.uid
limit $5
for update of item`,
)

/** Returns an import item with its source, and locks it until its resolution is written. */
export const lockItem = statement<{ user_id: number; job_uid: string | null; item_uid: string }, { uid: string; found: Listing | ListingFailure; observed_at: string; status: 'pending' | 'imported' | 'failed' | 'conflict' | 'skipped'; conflict_type: ConflictType | null; conflict_details: string | null; conflict_item_uid: string | null; resolution: 'pending' | 'link_existing' | 'create_new' | 'overwrite' | 'skip' | 'skip_all' | 'auto_skip' | 'superseded' | null; answered_sku: string | null; created_inventory_item_uid: string | null; is_repeated_skip: boolean; sold_since: boolean; platform: PlatformSlug; seller_account_uid: string }>(
  'catalog/imports/resolve/lockItem',
  ['user_id', 'job_uid', 'item_uid'],
  `select item.uid, item.found, item.observed_at, item.status, item.conflict_type, item.conflict_details,
  item.conflict_item_uid, item.resolution, item.answered_sku,
  item.created_inventory_item_uid, item.is_repeated_skip, false as sold_since, job.platform, job.seller_account_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = $1 and item.job_uid = $2 and item.uid = $3
for update of item`,
)

/** Locks the items that an order with this SKU would be matched to (`matchLines`): such an order is
 * recorded already, or waits for this transaction. */
export const lockSkuHolders = statement<{ user_id: number; sku: string; seller_account_uid: string }, { uid: string }>(
  'catalog/imports/resolve/lockSkuHolders',
  ['user_id', 'sku', 'seller_account_uid'],
  `select uid
from inventory_item
where user_id = $1 and uid in (
  select item.uid from inventory_item item where item.user_id = $1 and item.sku = $2
  union all
  select operation.item_uid
  from listing_operation operation
  where operation.user_id = $1 and operation.seller_account_uid = $3 and operation.kind = 'list'
    and operation.external_key = $2
)
order by uid
for update`,
)

/** Locks the item that a listing is to be attached to. Sales and other listings of the item wait. */
export const lockTarget = statement<{ user_id: number; uid: string }, { uid: string; sku: string | null; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; version: number }>(
  'catalog/imports/resolve/lockTarget',
  ['user_id', 'uid'],
  `select uid, sku, state, version
from inventory_item
where user_id = $1 and uid = $2
for update`,
)

/** Returns the next open conflicts of one certainty, of all imports or of one, that had it at a time. */
export const nextConflicts = statement<{ user_id: number; after: string; certainty: string | null; job_uid: string | null; as_of: string | Date | null; limit: number | string }, { job_uid: string; item_uid: string }>(
  'catalog/imports/resolve/nextConflicts',
  ['user_id', 'after', 'certainty', 'job_uid', 'as_of', 'limit'],
  `select job_uid, uid as item_uid
from import_item
where user_id = $1 and status = 'conflict' and uid > $2
  and coalesce(match_certainty, 'other') = $3 and ($4::text is null or job_uid = $4)
  and match_photos is distinct from 'comparing' and processed_at <= coalesce($5::timestamptz, now())
order by uid
limit $6`,
)

/** Replaces an item's data by the listing's. Ids, SKU, cost and storage location stay; an item without a SKU takes the
 * listing's. */
export const overwriteItem = statement<{ sku: string | null; offer_id: string; title: string; description: string; attributes: unknown; images: readonly (string | null)[]; condition_label: string; condition_notes: string; inspected_at: string; evidence_urls: readonly (string | null)[]; price_minor: number | string; currency: string; observed_at: string | Date; seller_url: string; shipping_policy_url: string; returns_policy_url: string; state: string; user_id: number; uid: string }, void>(
  'catalog/imports/resolve/overwriteItem',
  ['sku', 'offer_id', 'title', 'description', 'attributes', 'images', 'condition_label', 'condition_notes', 'inspected_at', 'evidence_urls', 'price_minor', 'currency', 'observed_at', 'seller_url', 'shipping_policy_url', 'returns_policy_url', 'state', 'user_id', 'uid'],
  `update inventory_item set
  sku = coalesce(sku, $1),
  offer_id = $2, title = $3, description = $4,
  attributes = jsonb_set_lax(
    jsonb_set_lax(
      jsonb_set_lax(
        jsonb_set_lax($5::jsonb, '{cost_minor}', attributes -> 'cost_minor', true, 'return_target'),
        '{storage_location}', attributes -> 'storage_location', true, 'return_target'
      ),
      '{particulars}', attributes -> 'particulars', true, 'return_target'
    ),
    '{flaws}', attributes -> 'flaws', true, 'return_target'
  ),
  images = $6, condition_label = $7, condition_notes = $8,
  inspected_at = $9, evidence_urls = $10::text[], price_minor = $11,
  currency = $12, observed_at = $13, seller_url = $14,
  shipping_policy_url = $15, returns_policy_url = $16,
  state = $17, version = version + 1, updated_at = now()
where user_id = $18 and uid = $19`,
)

/** Returns an import item as the API shows it, with its listing and the conflicting item. Says whether the conflict may
 * still be resolved. */
export const readItemWithListing = statement<{ user_id: number; job_uid: string; item_uid: string }, { item: Omit<ImportItem, 'processed_at'>; processed_at: string | null; found: Listing | ListingFailure; observed_at: string; is_open: boolean; platform: PlatformSlug; seller_account_uid: string; existing_inventory_item_uid: string | null }>(
  'catalog/imports/resolve/readItemWithListing',
  ['user_id', 'job_uid', 'item_uid'],
  `select
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', external_listing_id, 'external_sku', external_sku, 'status', item.status,
    'listing_title', listing_title, 'listing_price', listing_price, 'conflict_type', conflict_type,
    'conflict_details', conflict_details, 'error_message', item.error_message, 'error_code', error_code,
    'resolution', resolution, 'created_inventory_item_uid', created_inventory_item_uid, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end
  ) as item,
  processed_at, found, observed_at, item.status = 'conflict' or is_repeated_skip as is_open, job.platform,
  job.seller_account_uid, conflict_item_uid as existing_inventory_item_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = $1 and item.job_uid = $2 and item.uid = $3`,
)

/** Returns an import item as the API shows it. */
export const readItem = statement<{ user_id: number; job_uid: string; item_uid: string }, { id: string; external_listing_id: string; external_sku: string; status: 'pending' | 'imported' | 'failed' | 'conflict' | 'skipped'; listing_title: string; listing_price: string | null; conflict_type: ImportItem['conflict_type'] | null; conflict_details: string | null; error_message: string | null; error_code: ImportItem['error_code'] | null; resolution: 'pending' | 'link_existing' | 'create_new' | 'overwrite' | 'skip' | 'skip_all' | 'auto_skip' | 'superseded' | null; created_inventory_item_uid: string | null; processed_at: string | null; match: ImportItem['match'] | null }>(
  'catalog/imports/resolve/readItem',
  ['user_id', 'job_uid', 'item_uid'],
  `select uid as id, external_listing_id, external_sku, status, listing_title, listing_price, conflict_type,
  conflict_details, error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end as match
from import_item
where user_id = $1 and job_uid = $2 and uid = $3`,
)

/** Returns a listing's row and an item's content as they are, to be compared and restored by an undo. */
export const readUndoState = statement<{ user_id: number; seller_account_uid: string; listing_id: string; item_uid: string | null }, { listing: { item_uid: string; state: ListingState; price_minor: number; currency: string } | null; content: object | null; state: Availability | null }>(
  'catalog/imports/resolve/readUndoState',
  ['user_id', 'seller_account_uid', 'listing_id', 'item_uid'],
  `select
  (
    select to_jsonb(listing) - '{user_id,created_at,updated_at,observed_at,details_due_at}'::text[]
    from channel_listing listing
    where user_id = $1 and seller_account_uid = $2 and listing_id = $3
  ) as listing,
  (
    select jsonb_build_object(
      'sku', sku, 'offer_id', offer_id, 'title', title, 'description', description, 'attributes', attributes, 'images', images,
      'condition_label', condition_label, 'condition_notes', condition_notes, 'inspected_at', inspected_at,
      'evidence_urls', evidence_urls, 'price_minor', price_minor, 'currency', currency, 'seller_url', seller_url,
      'shipping_policy_url', shipping_policy_url, 'returns_policy_url', returns_policy_url
    )
    from inventory_item
    where user_id = $1 and uid = $4
  ) as content,
  (select state from inventory_item where user_id = $1 and uid = $4) as state`,
)

/** Asks the seller again about a conflict. */
export const reopenItem = statement<{ user_id: number; job_uid: string | null; subject_uid: string }, void>(
  'catalog/imports/resolve/reopenItem',
  ['user_id', 'job_uid', 'subject_uid'],
  `update import_item set
  status = 'conflict', resolution = 'pending', answered_sku = null, created_inventory_item_uid = null,
  is_repeated_skip = false, processed_at = now()
where user_id = $1 and job_uid = $2 and uid = $3`,
)

/** Gives an item the content that it had before it was overwritten. */
export const restoreContent = statement<{ content: unknown; user_id: number; item_uid: string }, void>(
  'catalog/imports/resolve/restoreContent',
  ['content', 'user_id', 'item_uid'],
  `update inventory_item item set
  sku = was.sku, offer_id = was.offer_id, title = was.title, description = was.description, attributes = was.attributes,
  images = was.images, condition_label = was.condition_label, condition_notes = was.condition_notes,
  inspected_at = was.inspected_at, evidence_urls = was.evidence_urls, price_minor = was.price_minor,
  currency = was.currency, seller_url = was.seller_url, shipping_policy_url = was.shipping_policy_url,
  returns_policy_url = was.returns_policy_url
from jsonb_populate_record(null::inventory_item, $1::jsonb) was
where item.user_id = $2 and item.uid = $3`,
)

/** Gives a listing what was known of it before. */
export const restoreListing = statement<{ listing: unknown; user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'catalog/imports/resolve/restoreListing',
  ['listing', 'user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing listing set
  url = was.url, state = was.state, extra = was.extra, sku = was.sku, price_minor = was.price_minor,
  currency = was.currency, updated_at = now()
from jsonb_populate_record(null::channel_listing, $1::jsonb) was
where listing.user_id = $2 and listing.seller_account_uid = $3
  and listing.listing_id = $4`,
)

/** Stores how a conflict was resolved. The conflict itself stays readable. */
export const settleItem = statement<{ status: string; resolution: string; answered_sku: string | null; inventory_item_uid: string | null; conflict_type: string | null; conflict_details: string | null; user_id: number; job_uid: string; item_uid: string }, void>(
  'catalog/imports/resolve/settleItem',
  ['status', 'resolution', 'answered_sku', 'inventory_item_uid', 'conflict_type', 'conflict_details', 'user_id', 'job_uid', 'item_uid'],
  `update import_item set
  status = $1, resolution = $2, answered_sku = $3,
  created_inventory_item_uid = $4, processed_at = now(),
  conflict_type = $5, conflict_details = $6, action_uid = null, is_repeated_skip = false
where user_id = $7 and job_uid = $8 and uid = $9`,
)

/** Gives an item a new version, since its record has one more listing. */
export const touchItem = statement<{ user_id: number; uid: string }, void>(
  'catalog/imports/resolve/touchItem',
  ['user_id', 'uid'],
  `update inventory_item set version = version + 1, updated_at = now()
where user_id = $1 and uid = $2`,
)
