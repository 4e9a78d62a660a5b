-- import type { KnownListing, Skip } from './decide-listing.ts'
-- import type { KnownItem } from '#server/catalog/imports/matching/look-alike.ts'
-- import type { ConflictType, ImportItem } from '#shared/contract/catalog/imports.ts'
-- import type { Listing, ListingFailure, ListingState, ListingTerms } from '#shared/listing.ts'

-- name: claimComparisons
-- type found: Listing | ListingFailure
-- Claims an account's next conflicts whose photos are to be compared. Counts the attempt at once, because a photo may end
-- the process: each is due again later, every time after a longer wait.
update import_item item set
  photo_tries = item.photo_tries + 1,
  photos_due_at = now() + interval '1 minute' * (item.photo_tries + 1) * (item.photo_tries + 1)
from (
  select job_uid, uid
  from import_item
  where user_id = :user_id and status = 'conflict' and match_photos = 'comparing' and photos_due_at <= now()
  order by photos_due_at, uid
  limit :limit
  for update skip locked
) due
where item.user_id = :user_id and item.job_uid = due.job_uid and item.uid = due.uid
returning item.job_uid, item.uid, item.found, item.observed_at, item.photo_tries

-- name: continueComparisons
-- Makes conflicts of a job due again at once, as if the last attempt had not been.
update import_item set photos_due_at = now(), photo_tries = photo_tries - 1
where user_id = :user_id and job_uid = :job_uid and uid = any(:uids::text[])

-- name: countPreview
-- Returns the number of items in the finished preview of a job. Null if the job is not the user's.
select (
  select count(*)::integer
  from import_preview preview
  where preview.user_id = :user_id and preview.job_uid = job.uid and preview.generation = job.preview_ready
    and (:status?::text is null or preview.status = :status)
) as "count!"
from import_job job
where job.user_id = :user_id and job.uid = :job_uid

-- name: endComparisons
-- Ends the comparison of these conflicts and leaves them as they are.
update import_item set match_photos = null, photos_due_at = null
where user_id = :user_id and job_uid = :job_uid and uid = any(:uids::text[])

-- name: findDecisionContext
-- Returns the defaults of a seller account and its user for listings that lack something.
select account.url as shop_url, settings.shipping_policy_url, settings.returns_policy_url,
  coalesce(settings.sku_required, false) as "sku_required!"
from seller_account account
left join seller_settings settings on settings.user_id = account.user_id
where account.user_id = :user_id and account.uid = :seller_account_uid

-- name: findFacts
-- type listings: (KnownListing & { listing_id: string })[]
-- type skus: (KnownItem & { sku: string })[]
-- type own_listings: { listing_id: string | null; external_key: string; is_open: boolean; item: KnownItem }[]
-- type skips: (Skip & { listing_id: string })[]
-- Returns everything known about these listings:
-- - listings of the seller account with an item; of all the user's shops if ids are unique on the platform
-- - items with one of the SKUs
-- - items that we listed in this shop under one of the SKUs or ids
-- - conflicts of these listings that the seller last skipped
with shop as materialized (
  select uid from seller_account
  where user_id = :user_id and (uid = :seller_account_uid or :any_shop and platform = :platform)
)
select
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', listing.listing_id, 'price_minor', listing.price_minor, 'currency', listing.currency,
      'state', listing.state, 'sku', listing.sku, 'item', json_build_object(
        'uid', item.uid, 'title', item.title, 'state', item.state, 'sku', item.sku,
        -- Copied photos are compared by where they came from.
        'images', coalesce(copy.sources, item.images), 'description_md5', md5(item.description),
        'condition_label', item.condition_label, 'attributes', item.attributes
      )
      -- The last one counts, which is the shop's own.
    ) order by shop.uid = :seller_account_uid), '[]')
    from shop
    join channel_listing listing on listing.user_id = :user_id and listing.seller_account_uid = shop.uid
      and listing.listing_id = any(:listing_ids::text[])
    join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
    left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
  ) as "listings!",
  (
    select coalesce(json_agg(json_build_object('sku', sku, 'uid', uid, 'title', title, 'state', state)), '[]')
    from inventory_item
    where user_id = :user_id and sku = any(:skus::text[])
  ) as "skus!",
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', operation.listing_id, 'external_key', operation.external_key, 'is_open', operation.is_open,
      'item', json_build_object('uid', item.uid, 'title', item.title, 'state', item.state)
    )), '[]')
    from (
      select distinct on (item_uid, listing_id, external_key) item_uid, listing_id, external_key, state = 'open' as is_open
      from listing_operation
      where user_id = :user_id and seller_account_uid = :seller_account_uid and kind = 'list'
        and (external_key = any(:skus::text[]) or listing_id = any(:listing_ids::text[]))
      order by item_uid, listing_id, external_key, created_at desc
    ) operation
    join inventory_item item on item.user_id = :user_id and item.uid = operation.item_uid
  ) as "own_listings!",
  (
    select coalesce(json_agg(json_build_object(
      'listing_id', skip.external_listing_id, 'found', skip.found, 'conflict_type', skip.conflict_type,
      'conflict_details', skip.conflict_details, 'conflict_item_uid', skip.conflict_item_uid,
      'resolution', skip.resolution
    )), '[]')
    from (
      select distinct on (item.external_listing_id) item.external_listing_id, item.found, item.conflict_type,
        item.conflict_details, item.conflict_item_uid, item.resolution
      from import_item item
      where item.user_id = :user_id and item.external_listing_id = any(:listing_ids::text[])
        and item.resolution in ('skip', 'skip_all')
        -- Looked up per listing: starting from the jobs would read all their items.
        and (
          select job.seller_account_uid from import_job job where job.user_id = :user_id and job.uid = item.job_uid
        ) in (select uid from shop)
      order by item.external_listing_id, item.uid desc
    ) skip
  ) as "skips!"

-- name: findReported
-- Returns those of these listings that were reported as sold while they had no item.
select listing_id
from sold_report
where user_id = :user_id and platform = :platform and listing_id = any(:listing_ids::text[])

-- name: findStateNow
-- type state: ListingState
-- Returns the newest known state of a listing that was read for an import item: from an order or a reported sale that
-- found no item, or found one by SKU or title, else from its last reading. No row if nothing is newer. An order from long
-- before the reading bought what was for sale there before (`matchLines`), and of several pieces one
-- order leaves some.
with shop as materialized (
  select uid from seller_account
  where user_id = :user_id and (uid = :seller_account_uid or :any_shop and platform = :platform)
)
select seen.state as "state!"
from (
  select 0 as rank, case line.status when 'paid' then 'sold' else 'reserved' end as state, ordered.ordered_at as at
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = :user_id and line.listing_id = :listing_id
    and (line.state = 'unmatched' or line.matched_by in ('sku', 'title') and line.state in ('held', 'sold', 'oversell'))
    and ordered.platform = :platform and ordered.seller_account_uid in (select uid from shop)
    and ordered.ordered_at >= :observed_at::timestamptz - interval '1 hour' and :quantity <= 1
  union all
  select 0, 'sold', report.seen_at
  from sold_report report
  where report.user_id = :user_id and report.platform = :platform and report.listing_id = :listing_id
  union all
  select 1, case when later.found ->> 'quantity' = '0' and later.found ->> 'state' <> 'sold' then 'removed'
    else later.found ->> 'state' end, later.observed_at
  from import_job job
  join import_item later on later.user_id = job.user_id and later.job_uid = job.uid
    and later.external_listing_id = :listing_id
  where job.user_id = :user_id and job.seller_account_uid in (select uid from shop)
    and later.observed_at > :observed_at and later.found ? 'state'
  union all
  -- A changed price or shop does not contradict an observed sale.
  select 1, known.state, greatest(known.observed_at, known.updated_at)
  from channel_listing known
  where known.user_id = :user_id and known.seller_account_uid in (select uid from shop)
    and known.listing_id = :listing_id
    and (known.observed_at > :observed_at or :state <> 'sold' and known.updated_at > :observed_at)
) seen
order by seen.rank, seen.at desc
limit 1

-- name: findStored
-- type failed_uid: string | null
-- Returns which of these listings the job has, with the item of each that failed. Locks the failed ones, because a newer
-- reading may replace them.
with failed as materialized (
  select uid
  from import_item
  where user_id = :user_id and job_uid = :job_uid and external_listing_id = any(:listing_ids::text[])
    and status = 'failed'
  for update
)
select stored.external_listing_id as listing_id, failed.uid as failed_uid
from import_item stored
left join failed on failed.uid = stored.uid
where stored.user_id = :user_id and stored.job_uid = :job_uid
  and stored.external_listing_id = any(:listing_ids::text[])

-- name: insertDecided
-- Inserts import items that are decided when they are found.
insert into import_item (
  user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price, status,
  conflict_type, conflict_details, conflict_item_uid, error_code, error_message, resolution, created_inventory_item_uid,
  is_repeated_skip, match_certainty, match_reasons, match_photos, photos_due_at, processed_at
)
select :user_id, :job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price,
  status, conflict_type, conflict_details, conflict_item_uid, error_code, error_message, resolution, item_uid,
  coalesce(is_repeated_skip, false), match_certainty, match_reasons, match_photos,
  case when match_photos = 'comparing' then now() end, now()
from json_to_recordset(:rows::json) as row (
  uid text, external_listing_id text, found jsonb, observed_at timestamptz, external_sku text, listing_title text,
  listing_price text, status text, conflict_type text, conflict_details text, conflict_item_uid text, error_code text,
  error_message text, resolution text, item_uid text, is_repeated_skip boolean, match_certainty text,
  match_reasons text[], match_photos text
)

-- name: insertItems
-- Inserts the items that an import makes, with their listings and first state, in one statement.
with made as materialized (
  select *
  from json_to_recordset(:rows::json) as row (
    item_uid text, sku text, product_id text, offer_id text, title text, description text, attributes jsonb,
    images text[], condition_label text, condition_notes text, inspected_at date, evidence_urls text[],
    price_minor bigint, currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text, listing_id text, listing_url text, listing_state text, listing_sku text,
    listed_at timestamptz, details_unread boolean, terms jsonb
  )
), items as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url
  )
  select :user_id, item_uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url
  from made
), listings as (
  insert into channel_listing (
    user_id, seller_account_uid, listing_id, item_uid, platform, url, state, sku, price_minor, currency, listed_at,
    observed_at, for_sale_since, details_due_at, terms
  )
  select :user_id, :seller_account_uid, listing_id, item_uid, :platform, listing_url, listing_state, listing_sku,
    price_minor, currency, listed_at, observed_at, case when listing_state = 'available' then observed_at end,
    case when details_unread then now() end, terms
  from made
)
insert into inventory_history (user_id, item_uid, version, actor, to_state, reason, reference)
select :user_id, item_uid, 1, 'import', state, :reason, :job_uid
from made

-- name: listDueComparisons
-- Returns some of the accounts that have photos to compare and no turn now.
select due.user_id
from (
  select distinct user_id
  from import_item
  where status = 'conflict' and match_photos = 'comparing' and photos_due_at <= now()
) due
join app_user on app_user.id = due.user_id and app_user.state = 'active'
where due.user_id <> all(:busy::integer[])
order by random()
limit :accounts

-- name: listPreview
-- type status: ImportItem['status']
-- type conflict_type: ImportItem['conflict_type']
-- type error_code: ImportItem['error_code']
-- type resolution: ImportItem['resolution']
-- type terms: ListingTerms
-- Returns a page of the finished preview. Long texts are cut, so that a page of a hundred stays below 4 MB; a single
-- item has its whole listing.
select item.uid as id, item.external_listing_id, item.external_sku, preview.status, left(item.listing_title, 1000) as "listing_title!",
  item.listing_price, preview.conflict_type, left(preview.conflict_details, 2000) as conflict_details, left(preview.error_message, 2000) as error_message, preview.error_code,
  case when preview.status = 'conflict' then 'pending' when preview.status = item.status then item.resolution end as resolution,
  case when preview.status = item.status then item.created_inventory_item_uid end as created_inventory_item_uid,
  item.processed_at,
  case when item.found ->> 'state' = 'available' and item.found ->> 'format' = 'auction'
    then coalesce(item.found -> 'terms', '{}') || jsonb_build_object('format', 'auction') end as terms
from import_job job
join import_preview preview on preview.user_id = job.user_id and preview.job_uid = job.uid
  and preview.generation = job.preview_ready
join import_item item on item.user_id = preview.user_id and item.job_uid = preview.job_uid and item.uid = preview.item_uid
where job.user_id = :user_id and job.uid = :job_uid and (:status?::text is null or preview.status = :status)
order by preview.item_uid
limit :limit offset :offset

-- name: lockComparisons
-- type found: Listing | ListingFailure
-- type conflict_type: ConflictType
-- Locks those of these conflicts that are still open and compared. Leaves those for later that an answer or an
-- action has.
select uid, found, observed_at, conflict_type
from import_item
where user_id = :user_id and job_uid = :job_uid and uid = any(:uids::text[]) and status = 'conflict'
  and match_photos = 'comparing' and action_uid is null
order by uid
for update skip locked

-- name: lockInventory
-- Locks a user's inventory until the transaction ends, so that two imports cannot take the same SKU or make the same
-- item twice.
select pg_advisory_xact_lock(4802, :user_id)

-- name: moveListings
-- Moves listings from another of the user's shops on the platform to the shop in which they were read. Their tasks and
-- differences and observed orders move too. Locks their items first, as a sale does.
with elsewhere as materialized (
  select distinct on (listing.listing_id) listing.listing_id, listing.seller_account_uid, listing.item_uid
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = any(:listing_ids::text[])
  where shop.user_id = :user_id and shop.platform = :platform and shop.uid <> :seller_account_uid
    and not exists (
      select from channel_listing here
      where here.user_id = :user_id and here.seller_account_uid = :seller_account_uid
        and here.listing_id = listing.listing_id
    )
  order by listing.listing_id, listing.created_at
), held as materialized (
  select item.uid
  from inventory_item item
  where item.user_id = :user_id and item.uid in (select item_uid from elsewhere)
  order by item.uid
  for no key update
), moved as (
  update channel_listing listing set seller_account_uid = :seller_account_uid, updated_at = now()
  from elsewhere
  join held on held.uid = elsewhere.item_uid
  where listing.user_id = :user_id and listing.seller_account_uid = elsewhere.seller_account_uid
    and listing.listing_id = elsewhere.listing_id
  returning listing.listing_id, listing.item_uid, elsewhere.seller_account_uid as left_uid
), differences as (
  update listing_difference difference set seller_account_uid = :seller_account_uid
  from moved
  where difference.user_id = :user_id and difference.seller_account_uid = moved.left_uid
    and difference.listing_id = moved.listing_id
), tasks as (
  update extension_task task set seller_account_uid = :seller_account_uid
  from moved
  where task.user_id = :user_id and task.platform = :platform and task.kind = 'delist'
    and task.listing_id = moved.listing_id and task.status = 'open'
), orders as (
  update marketplace_order seen set seller_account_uid = :seller_account_uid
  from moved
  where seen.user_id = :user_id and seen.platform = :platform and seen.source = 'scraped'
    and seen.external_order_id = 'listing-' || moved.listing_id
)
update inventory_item set updated_at = now()
where user_id = :user_id and uid in (select item_uid from moved)

-- name: publishPreview
-- Publishes a finished preview, if it is still the newest that was requested, and deletes older ones.
with published as (
  update import_job set preview_ready = :generation
  where user_id = :user_id and uid = :job_uid and preview_requested = :generation
)
delete from import_preview
where user_id = :user_id and job_uid = :job_uid and generation < :generation

-- name: readPending
-- type found: Listing | ListingFailure
-- Returns the next undecided items of a job in the order of discovery.
select uid, found, observed_at
from import_item
where user_id = :user_id and job_uid = :uid and status = 'pending'
order by uid
limit :limit

-- name: readPreviewItems
-- type found: Listing | ListingFailure
-- Returns the next items of a preview in the order of discovery.
select uid, found, observed_at, status
from import_item
where user_id = :user_id and job_uid = :job_uid and (:status?::text is null or status = :status)
  and uid > :after
order by uid
limit :limit

-- name: recordDecided
-- Records that pending items were decided. Progress is measured against the known total and never decreases.
update import_job set
  decided_so_far = decided_so_far + :decided,
  progress = case
    when status in ('completed', 'failed') then progress
    when not discovery_done and expected_total is null then progress
    else greatest(
      progress,
      least(99.9, 100.0 * (decided_so_far + :decided) / greatest(expected_total, found_so_far, 1))
    )
  end,
  -- A careful job stays careful to its end: the next item may crash the worker too.
  crashes = case when crashes > :careful_after then :careful_after + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = :user_id and uid = :uid

-- name: requestPreview
-- Requests a new preview of a job. No row if there is no such job.
update import_job set preview_requested = preview_requested + 1
where user_id = :user_id and uid = :job_uid
returning preview_requested as generation

-- name: storePreview
-- Stores part of a preview, in place of an earlier version.
insert into import_preview (
  user_id, job_uid, generation, item_uid, status, conflict_type, conflict_details, error_code, error_message
)
select :user_id, :job_uid, :generation, row.*
from json_to_recordset(:rows::json) as row (
  item_uid text, status text, conflict_type text, conflict_details text, error_code text, error_message text
)
on conflict (user_id, job_uid, generation, item_uid) do update set
  status = excluded.status, conflict_type = excluded.conflict_type, conflict_details = excluded.conflict_details,
  error_code = excluded.error_code, error_message = excluded.error_message

-- name: storeTerms
-- Stores how known listings of a shop are sold, as an import has just read it. A hold stays, because imports do not see
-- it. Clients read their items again.
with stored as (
  update channel_listing listing set terms = coalesce(listing.terms, '{}') - 'sale' || row.terms
  from json_to_recordset(:rows::json) as row (listing_id text, terms jsonb)
  where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
    and listing.listing_id = row.listing_id
    and listing.terms is distinct from coalesce(listing.terms, '{}') - 'sale' || row.terms
  returning listing.item_uid
)
update inventory_item item set updated_at = now()
from stored
where item.user_id = :user_id and item.uid = stored.item_uid

-- name: supersedeConflicts
-- Ends the open conflicts of these listings in earlier imports of the shop, because this import decides about them anew.
-- If an id alone identifies a listing, includes all the user's shops on the platform.
update import_item earlier set status = 'skipped', resolution = 'superseded', processed_at = now(), action_uid = null
from import_job job, import_job this
where earlier.user_id = :user_id and earlier.external_listing_id = any(:listing_ids::text[])
  and earlier.status = 'conflict' and earlier.job_uid <> :job_uid
  and this.user_id = earlier.user_id and this.uid = :job_uid
  and job.user_id = earlier.user_id and job.uid = earlier.job_uid and job.created_at <= this.created_at
  and (job.seller_account_uid = this.seller_account_uid or :any_shop and job.platform = this.platform)

-- name: updateDecided
-- Stores the decisions about import items, with the readings that they were made of if those are newer than the stored
-- ones. A reading without a title keeps the known one.
update import_item item set
  found = coalesce(decided.found, item.found),
  observed_at = case when decided.found is null then item.observed_at else decided.observed_at end,
  external_sku = case when decided.found is null then item.external_sku else decided.external_sku end,
  listing_title = coalesce(nullif(decided.listing_title, ''), item.listing_title),
  listing_price = case when decided.found is null then item.listing_price else decided.listing_price end,
  status = decided.status,
  conflict_type = decided.conflict_type,
  conflict_details = decided.conflict_details,
  conflict_item_uid = decided.conflict_item_uid,
  match_certainty = decided.match_certainty,
  match_reasons = decided.match_reasons,
  match_photos = decided.match_photos,
  photos_due_at = case when decided.match_photos = 'comparing' then now() end,
  photo_tries = 0,
  error_code = decided.error_code,
  error_message = decided.error_message,
  resolution = decided.resolution,
  is_repeated_skip = coalesce(decided.is_repeated_skip, false),
  created_inventory_item_uid = decided.item_uid,
  processed_at = now(),
  action_uid = null
from json_to_recordset(:rows::json) as decided (
  uid text, found jsonb, observed_at timestamptz, external_sku text, listing_title text, listing_price text,
  status text, conflict_type text, conflict_details text, conflict_item_uid text, error_code text, error_message text,
  resolution text, item_uid text, is_repeated_skip boolean, match_certainty text, match_reasons text[],
  match_photos text
)
where item.user_id = :user_id and item.job_uid = :job_uid and item.uid = decided.uid
