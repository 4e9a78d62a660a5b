-- import type { ConflictPage } from './list-conflicts.ts'
-- import type { ConflictType, ImportItem } from '#shared/contract/catalog/imports.ts'
-- import type { Availability } from '#shared/item/inventory-record.ts'
-- import type { Listing, ListingFailure, ListingState } from '#shared/listing.ts'

-- name: attachListing
-- Attaches a listing to an item, or updates it if it is attached already. It is an extra one beside another live
-- listing of the item on the platform. No row if the listing belongs to another item.
insert into channel_listing as known (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at, for_sale_since, details_due_at, terms
)
select :user_id, :seller_account_uid, :listing_id, :item_uid, :platform, :url?, :state, exists (
    select from channel_listing other
    where other.user_id = :user_id and other.item_uid = :item_uid and other.platform = :platform
      and other.state in ('available', 'reserved') and not other.extra
      and (other.seller_account_uid, other.listing_id) is distinct from (:seller_account_uid, :listing_id)
  ), :sku?, :price_minor, :currency, :listed_at?, :observed_at,
  case when :state = 'available' then :observed_at::timestamptz end, case when :details_unread then now() end,
  :terms::jsonb
on conflict (user_id, seller_account_uid, listing_id) do update set
  url = excluded.url, state = excluded.state, extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency,
  terms = coalesce(known.terms - 'sale' || excluded.terms, excluded.terms, known.terms - 'sale'),
  observed_at = greatest(known.observed_at, excluded.observed_at), updated_at = excluded.updated_at
where known.item_uid = excluded.item_uid
returning known.item_uid

-- name: countConflicts
-- type linkable: NonNullable<ConflictPage['linkable']>
-- Returns the number of open conflicts of all imports, or of one, by certainty, how many of these a decision by certainty
-- can link, and those that it leaves: another live listing of the platform agrees with the same item as well, or better.
-- Conflicts whose photos are being compared are counted apart.
with open as materialized (
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
  where item.user_id = :user_id and item.status = 'conflict'
), best as (
  select distinct on (target, platform) target, platform, agreement, count(distinct (seller_account_uid, listing_id)) as claims
  from open
  where is_live
  group by target, platform, agreement
  order by target, platform, agreement desc
)
select now() as "as_of!", count(*) filter (where is_compared_now)::integer as "comparing!",
  count(*) filter (where not is_compared_now and certainty = 'certain')::integer as "certain!",
  count(*) filter (where not is_compared_now and certainty = 'likely')::integer as "likely!",
  count(*) filter (where not is_compared_now and certainty = 'unsure')::integer as "unsure!",
  count(*) filter (where not is_compared_now and certainty = 'other')::integer as "other!",
  jsonb_build_object(
    'certain', count(distinct linked) filter (where not is_compared_now and certainty = 'certain'),
    'likely', count(distinct linked) filter (where not is_compared_now and certainty = 'likely'),
    'unsure', count(distinct linked) filter (where not is_compared_now and certainty = 'unsure')
  ) as "linkable!",
  coalesce(array_agg(open.uid) filter (where is_live and (open.agreement < best.agreement or claims > 1)), '{}') as "doubtful!"
from open
left join best using (target, platform)
cross join lateral (
  select case
    when exists (
      select from channel_listing other
      where other.user_id = :user_id and other.item_uid = target and other.platform = open.platform
        and other.state in ('available', 'reserved')
        and (other.seller_account_uid, other.listing_id) is distinct from (open.seller_account_uid, open.listing_id)
    ) then null
    when is_live is not true then target || ' ' || uid
    when open.agreement = best.agreement and claims = 1 then target || ' ' || platform
  end as linked
) as link
where :job_uid?::text is null or job_uid = :job_uid

-- name: deleteUnchanged
-- Deletes locked items that nothing happened to since an import created them: no act in their history, no order, no other
-- listing, no operation. Their import items count as skipped. Returns the deleted ones.
with gone as (
  delete from inventory_item item
  using import_item made
  where item.user_id = :user_id and item.uid = any(:uids::text[]) and item.redirect_uid is null
    and made.user_id = item.user_id and made.job_uid = :job_uid and made.created_inventory_item_uid = item.uid
    and not exists (
      select from inventory_history act
      where act.user_id = :user_id and act.item_uid = item.uid and act.version > 1
    )
    and not exists (
      select from channel_listing listing
      where listing.user_id = :user_id and listing.item_uid = item.uid and listing.listing_id <> made.external_listing_id
    )
    and not exists (select from order_line line where line.user_id = :user_id and line.item_uid = item.uid)
    and not exists (
      select from listing_operation operation where operation.user_id = :user_id and operation.item_uid = item.uid
    )
  returning item.uid, item.sku, made.uid as import_item_uid
), settled as (
  update import_item made set
    status = 'skipped', created_inventory_item_uid = null,
    conflict_details = case when resolution is null then 'The import was undone.' else conflict_details end
  from gone
  where made.user_id = :user_id and made.job_uid = :job_uid and made.uid = gone.import_item_uid
)
select uid, sku from gone

-- name: detachListing
-- Detaches a listing from its item.
delete from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id

-- name: endSaleQuestion
-- Ends the question which item sold by a listing that was seen as sold. Returns it if it was open.
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind = 'sale_unclear' and state = 'open' and platform = :platform
  and data ->> 'external_order_id' = 'listing-' || :listing_id::text
returning uid

-- name: findItemSku
-- Returns an item's SKU.
select sku
from inventory_item
where user_id = :user_id and uid = :uid

-- name: findListing
-- Returns the item of a seller account's listing, if any.
select item_uid
from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id

-- name: findObservedSale
-- Returns a listing of an item as a sale to record: the item is not sold, or somebody else has it, and no order of
-- this listing is known.
select listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id and listing.item_uid = :item_uid
  and (
    item.state <> 'sold' or exists (
      select from order_line claim
      join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
        and taker.platform <> 'outside'
      where claim.user_id = :user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
    )
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = :user_id and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid and known.state <> 'cancelled'
  )

-- name: findPhotoSources
-- Returns the addresses that an item's photos were copied from. No row unless it still has these copies.
select copy.sources
from image_copy copy
join inventory_item item on item.user_id = copy.user_id and item.uid = copy.item_uid and item.images = copy.copies
where copy.user_id = :user_id and copy.item_uid = :item_uid

-- name: findSkuHolder
-- Returns the item that has this SKU.
select uid
from inventory_item
where user_id = :user_id and sku = :sku

-- name: hasOtherLiveListing
-- Returns whether an item has another live listing on a platform.
select exists (
  select from channel_listing
  where user_id = :user_id and item_uid = :uid and platform = :platform and state in ('available', 'reserved')
    and (seller_account_uid, listing_id) is distinct from (:seller_account_uid, :listing_id)
) as "is_live!"

-- name: isInUse
-- Returns whether something depends on a listing or on a decision about it: an order of the listing, an operation on it, or
-- the question of a later import.
select exists (
    select from order_line line
    join marketplace_order taken on taken.user_id = line.user_id and taken.uid = line.order_uid
    where line.user_id = :user_id and line.listing_id = :listing_id
      and taken.seller_account_uid = :seller_account_uid
  ) or exists (
    select from listing_operation
    where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
      and created_at >= :at
  ) or exists (
    select from import_item later
    where later.user_id = :user_id and later.external_listing_id = :listing_id and later.status = 'conflict'
      and (later.job_uid, later.uid) <> (:job_uid?, :subject_uid)
  ) as "in_use!"

-- name: listConflicts
-- type marketplace: ConflictPage['results'][number]['marketplace']
-- type item: Omit<ConflictPage['results'][number]['item'], 'processed_at'>
-- type listing: ConflictPage['results'][number]['listing']
-- type existing: ConflictPage['results'][number]['existing']
-- type proposed: ConflictPage['results'][number]['proposed']
-- Returns a page of the open conflicts of all imports, or of one, with both sides, those whose photos are being compared
-- last. Long texts are cut as in `listItems`.
select item.job_uid, job.platform as marketplace,
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', item.external_listing_id, 'external_sku', left(item.external_sku, 500),
    'status', item.status, 'listing_title', left(item.listing_title, 1000), 'listing_price', item.listing_price,
    'conflict_type', item.conflict_type, 'conflict_details', left(item.conflict_details, 2000), 'error_message', null,
    'error_code', null, 'resolution', item.resolution, 'created_inventory_item_uid', null, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end
  ) as "item!",
  item.processed_at,
  jsonb_build_object(
    'url', item.found ->> 'url', 'image', item.found -> 'images' ->> 0, 'price_minor', item.found -> 'price_minor',
    'currency', item.found ->> 'currency'
  ) as "listing!",
  case when mine.uid is not null then jsonb_build_object(
    'uid', mine.uid, 'title', left(mine.title, 1000), 'image', mine.images[1], 'sku', mine.sku, 'price_minor', mine.price_minor,
    'currency', mine.currency, 'state', mine.state, 'platforms', (
      select coalesce(jsonb_agg(distinct listing.platform), '[]')
      from channel_listing listing
      where listing.user_id = :user_id and listing.item_uid = mine.uid and listing.state in ('available', 'reserved')
    )
  ) end as existing,
  case
    when match_certainty is null or mine.uid is null then null
    when item.found ->> 'state' in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = :user_id and other.item_uid = mine.uid and other.platform = job.platform
        and other.state in ('available', 'reserved')
        and (other.seller_account_uid, other.listing_id) is distinct from (job.seller_account_uid, item.external_listing_id)
    ) then 'create_new'
    else 'link_existing'
  end as proposed
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
left join inventory_item named on named.user_id = item.user_id and named.uid = item.conflict_item_uid
left join inventory_item mine on mine.user_id = item.user_id and mine.uid = coalesce(named.redirect_uid, named.uid)
where item.user_id = :user_id and item.status = 'conflict'
  and (:job_uid?::text is null or item.job_uid = :job_uid)
  and (:certainty?::text is null
    or coalesce(item.match_certainty, 'other') = :certainty and item.match_photos is distinct from 'comparing')
order by item.match_photos is not distinct from 'comparing', array_position(array['certain', 'likely', 'unsure'], item.match_certainty), item.uid
limit :limit offset :offset

-- name: lockCreated
-- Locks the next items that an import created and that still are its own, or the named ones.
select item.uid
from import_item made
join inventory_item item on item.user_id = made.user_id and item.uid = made.created_inventory_item_uid
where made.user_id = :user_id and made.job_uid = :job_uid and made.status = 'imported'
  and (made.resolution is null or made.created_inventory_item_uid = any(:uids?::text[]))
  and (:uids::text[] is null or made.created_inventory_item_uid = any(:uids::text[]))
  and item.uid > :after
order by item.uid
limit :limit
for update of item

-- name: lockItem
-- type found: Listing | ListingFailure
-- type conflict_type: ConflictType
-- Returns an import item with its source, and locks it until its resolution is written.
select item.uid, item.found, item.observed_at, item.status, item.conflict_type, item.conflict_details,
  item.conflict_item_uid, item.resolution, item.answered_sku,
  item.created_inventory_item_uid, item.is_repeated_skip, false as "sold_since!", job.platform, job.seller_account_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = :user_id and item.job_uid = :job_uid? and item.uid = :item_uid
for update of item

-- name: lockSkuHolders
-- Locks the items that an order with this SKU would be matched to (`matchLines`): such an order is
-- recorded already, or waits for this transaction.
select uid
from inventory_item
where user_id = :user_id and uid in (
  select item.uid from inventory_item item where item.user_id = :user_id and item.sku = :sku
  union all
  select operation.item_uid
  from listing_operation operation
  where operation.user_id = :user_id and operation.seller_account_uid = :seller_account_uid and operation.kind = 'list'
    and operation.external_key = :sku
)
order by uid
for update

-- name: lockTarget
-- Locks the item that a listing is to be attached to. Sales and other listings of the item wait.
select uid, sku, state, version
from inventory_item
where user_id = :user_id and uid = :uid
for update

-- name: nextConflicts
-- Returns the next open conflicts of one certainty, of all imports or of one, that had it at a time.
select job_uid, uid as item_uid
from import_item
where user_id = :user_id and status = 'conflict' and uid > :after
  and coalesce(match_certainty, 'other') = :certainty? and (:job_uid?::text is null or job_uid = :job_uid)
  and match_photos is distinct from 'comparing' and processed_at <= coalesce(:as_of?::timestamptz, now())
order by uid
limit :limit

-- name: overwriteItem
-- Replaces an item's data by the listing's. Ids, SKU, cost and storage location stay; an item without a SKU takes the
-- listing's.
update inventory_item set
  sku = coalesce(sku, :sku?),
  offer_id = :offer_id, title = :title, description = :description,
  attributes = jsonb_set_lax(
    jsonb_set_lax(
      jsonb_set_lax(
        jsonb_set_lax(:attributes::jsonb, '{cost_minor}', attributes -> 'cost_minor', true, 'return_target'),
        '{storage_location}', attributes -> 'storage_location', true, 'return_target'
      ),
      '{particulars}', attributes -> 'particulars', true, 'return_target'
    ),
    '{flaws}', attributes -> 'flaws', true, 'return_target'
  ),
  images = :images, condition_label = :condition_label, condition_notes = :condition_notes,
  inspected_at = :inspected_at, evidence_urls = :evidence_urls::text[], price_minor = :price_minor,
  currency = :currency, observed_at = :observed_at, seller_url = :seller_url,
  shipping_policy_url = :shipping_policy_url, returns_policy_url = :returns_policy_url,
  state = :state, version = version + 1, updated_at = now()
where user_id = :user_id and uid = :uid

-- name: readItemWithListing
-- type item: Omit<ImportItem, 'processed_at'>
-- type found: Listing | ListingFailure
-- Returns an import item as the API shows it, with its listing and the conflicting item. Says whether the conflict may
-- still be resolved.
select
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', external_listing_id, 'external_sku', external_sku, 'status', item.status,
    'listing_title', listing_title, 'listing_price', listing_price, 'conflict_type', conflict_type,
    'conflict_details', conflict_details, 'error_message', item.error_message, 'error_code', error_code,
    'resolution', resolution, 'created_inventory_item_uid', created_inventory_item_uid, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end
  ) as "item!",
  processed_at, found, observed_at, item.status = 'conflict' or is_repeated_skip as "is_open!", job.platform,
  job.seller_account_uid, conflict_item_uid as existing_inventory_item_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = :user_id and item.job_uid = :job_uid and item.uid = :item_uid

-- name: readItem
-- type conflict_type: ImportItem['conflict_type']
-- type error_code: ImportItem['error_code']
-- type match: ImportItem['match']
-- Returns an import item as the API shows it.
select uid as id, external_listing_id, external_sku, status, listing_title, listing_price, conflict_type,
  conflict_details, error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons, 'photos', match_photos) end as match
from import_item
where user_id = :user_id and job_uid = :job_uid and uid = :item_uid

-- name: readUndoState
-- type listing: { item_uid: string; state: ListingState; price_minor: number; currency: string }
-- type content: object
-- type state: Availability
-- Returns a listing's row and an item's content as they are, to be compared and restored by an undo.
select
  (
    select to_jsonb(listing) - '{user_id,created_at,updated_at,observed_at,details_due_at}'::text[]
    from channel_listing listing
    where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
  ) as listing,
  (
    select jsonb_build_object(
      'sku', sku, 'offer_id', offer_id, 'title', title, 'description', description, 'attributes', attributes, 'images', images,
      'condition_label', condition_label, 'condition_notes', condition_notes, 'inspected_at', inspected_at,
      'evidence_urls', evidence_urls, 'price_minor', price_minor, 'currency', currency, 'seller_url', seller_url,
      'shipping_policy_url', shipping_policy_url, 'returns_policy_url', returns_policy_url
    )
    from inventory_item
    where user_id = :user_id and uid = :item_uid?
  ) as content,
  (select state from inventory_item where user_id = :user_id and uid = :item_uid) as state

-- name: reopenItem
-- Asks the seller again about a conflict.
update import_item set
  status = 'conflict', resolution = 'pending', answered_sku = null, created_inventory_item_uid = null,
  is_repeated_skip = false, processed_at = now()
where user_id = :user_id and job_uid = :job_uid? and uid = :subject_uid

-- name: restoreContent
-- Gives an item the content that it had before it was overwritten.
update inventory_item item set
  sku = was.sku, offer_id = was.offer_id, title = was.title, description = was.description, attributes = was.attributes,
  images = was.images, condition_label = was.condition_label, condition_notes = was.condition_notes,
  inspected_at = was.inspected_at, evidence_urls = was.evidence_urls, price_minor = was.price_minor,
  currency = was.currency, seller_url = was.seller_url, shipping_policy_url = was.shipping_policy_url,
  returns_policy_url = was.returns_policy_url
from jsonb_populate_record(null::inventory_item, :content::jsonb) was
where item.user_id = :user_id and item.uid = :item_uid

-- name: restoreListing
-- Gives a listing what was known of it before.
update channel_listing listing set
  url = was.url, state = was.state, extra = was.extra, sku = was.sku, price_minor = was.price_minor,
  currency = was.currency, updated_at = now()
from jsonb_populate_record(null::channel_listing, :listing::jsonb) was
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id

-- name: settleItem
-- Stores how a conflict was resolved. The conflict itself stays readable.
update import_item set
  status = :status, resolution = :resolution, answered_sku = :answered_sku?,
  created_inventory_item_uid = :inventory_item_uid?, processed_at = now(),
  conflict_type = :conflict_type?, conflict_details = :conflict_details?, action_uid = null, is_repeated_skip = false
where user_id = :user_id and job_uid = :job_uid and uid = :item_uid

-- name: touchItem
-- Gives an item a new version, since its record has one more listing.
update inventory_item set version = version + 1, updated_at = now()
where user_id = :user_id and uid = :uid
