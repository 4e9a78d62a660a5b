-- import type { FieldValue } from './field-value.ts'
-- import type { Row } from './list-differences.ts'
-- import type { DifferenceField, DifferenceState } from '#shared/contract/catalog/differences.ts'

-- name: acceptPrices
-- Settles the conflicts of imports that ask about prices which were decided here. `is_accepted`: the listing keeps its
-- price, so it is the one that later readings are compared with.
with decided as (
  select user_id, seller_account_uid, listing_id, (theirs ->> 'price_minor')::bigint as price_minor,
    theirs ->> 'currency' as currency
  from listing_difference
  where user_id = :user_id and uid = any(:uids::text[]) and field = 'price'
), seen as (
  update channel_listing listing set price_minor = decided.price_minor, currency = decided.currency, updated_at = now()
  from decided
  where :is_accepted and listing.user_id = :user_id
    and listing.seller_account_uid = decided.seller_account_uid and listing.listing_id = decided.listing_id
)
update import_item item set status = 'skipped', resolution = 'superseded', processed_at = now(), action_uid = null
from decided
where item.user_id = :user_id and item.external_listing_id = decided.listing_id and item.status = 'conflict'
  and item.conflict_type = 'price_mismatch'
  and exists (
    select from import_job job
    where job.user_id = :user_id and job.uid = item.job_uid and job.seller_account_uid = decided.seller_account_uid
  )

-- name: adoptValues
-- Gives locked items values of listings, or gives them back, as the next version of each, with its history.
with row as (
  select *
  from json_to_recordset(:rows::json) as row (
    item_uid text, title text, description text, images text[], price_minor bigint, currency text, reason text, changes jsonb
  )
), changed as (
  update inventory_item item set
    title = coalesce(row.title, item.title), description = coalesce(row.description, item.description),
    images = coalesce(row.images, item.images), price_minor = coalesce(row.price_minor, item.price_minor),
    currency = coalesce(row.currency, item.currency), version = item.version + 1, updated_at = now()
  from row
  where item.user_id = :user_id and item.uid = row.item_uid
  returning item.user_id, item.uid, item.version, item.state, row.reason, row.changes
)
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
select user_id, uid, version, 'user', state, state, reason, :change_uid, changes
from changed

-- name: deleteDifferences
-- Deletes differences whose values an item has taken.
delete from listing_difference where user_id = :user_id and uid = any(:uids::text[])

-- name: findBeingSent
-- type fields: readonly string[]
-- Returns the fields that Hapax is about to send to a listing; no row for a listing that is not known here.
select array(
  select unnest(operation.fields || case when operation.price_minor is not null then array['price'] end)
  from listing_operation operation
  where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
    and operation.kind = 'update' and operation.seller_account_uid = listing.seller_account_uid
) as "fields!"
from channel_listing listing
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid and listing.listing_id = :listing_id

-- name: findComparables
-- type stored: Partial<Record<DifferenceField, { hash: string; state: 'open' | 'ignored' | 'same' }>>
-- type sent: readonly string[]
-- Returns the item's values of listings that are `unlike`, or that differed before; those of all other listings agree.
-- `stored`: earlier differences. `sent`: fields that Hapax is changing there, or changed so lately that a page may be older.
select listing.listing_id, listing.price_minor as listing_price_minor, listing.currency as listing_currency, item.title,
  item.description, coalesce(copy.sources, item.images) as "photos!", item.price_minor, item.currency,
  item.offer_id = listing.listing_id as "is_source!",
  exists (
    select from listing_operation made
    where made.user_id = :user_id and made.kind = 'list' and made.listing_id = listing.listing_id
  ) or exists (
    select from extension_task task
    where task.user_id = :user_id and task.item_uid = listing.item_uid and task.kind = 'list'
      and task.status = 'completed' and task.listing_id = listing.listing_id
  ) as "is_own!",
  (
    select coalesce(jsonb_object_agg(
      difference.field, jsonb_build_object('hash', difference.theirs_hash, 'state', difference.state)
    ), '{}')
    from listing_difference difference
    where difference.user_id = :user_id and difference.seller_account_uid = listing.seller_account_uid
      and difference.listing_id = listing.listing_id
  ) as "stored!",
  array(
    select unnest(operation.fields || case when operation.price_minor is not null then array['price'] end)
    from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = listing.item_uid
      and operation.kind = 'update' and operation.seller_account_uid = listing.seller_account_uid
      and (operation.state = 'open' or operation.state = 'done' and operation.finished_at > now() - interval '2 minutes')
  ) as "sent!"
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = any(:listing_ids::text[])
  and (
    listing.listing_id = any(:unlike::text[])
    or exists (
      select from listing_difference difference
      where difference.user_id = :user_id and difference.seller_account_uid = listing.seller_account_uid
        and difference.listing_id = listing.listing_id
    )
  )

-- name: ignoreDifferences
-- Hides differences until the platform's value changes again.
update listing_difference set state = 'ignored'
where user_id = :user_id and uid = any(:uids::text[])

-- name: listDifferences
-- type rows: Row[]
-- Returns a page of the differences of live listings, newest first, and their number. Leaves out what agrees by now, and
-- fields that an update on its way will change. Long texts and lists are cut.
with difference as materialized (
  select difference.uid, difference.field, difference.theirs, difference.state, difference.noticed_at, listing.platform,
    listing.url, item.uid as item_uid, item.title, item.images[1] as image, item.state as item_state, item.price_minor,
    item.currency,
    case difference.field
      when 'title' then to_jsonb(item.title)
      when 'description' then to_jsonb(item.description)
      when 'photos' then to_jsonb(coalesce(copy.sources, item.images))
      when 'price' then jsonb_build_object('price_minor', item.price_minor, 'currency', item.currency)
      else to_jsonb(difference.sent)
    end as mine,
    item.images, difference.sent
  from listing_difference difference
  join channel_listing listing on listing.user_id = difference.user_id
    and listing.seller_account_uid = difference.seller_account_uid and listing.listing_id = difference.listing_id
  join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
  where difference.user_id = :user_id and difference.state = :state and listing.state in ('available', 'reserved')
    and (:marketplace?::text is null or listing.platform = :marketplace)
    and (:item_uid?::text is null or listing.item_uid = :item_uid)
    and not exists (
      select from listing_operation operation
      where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.kind = 'update'
        and operation.state = 'open' and operation.seller_account_uid = listing.seller_account_uid
        and operation.listing_id = listing.listing_id
        and case difference.field
          when 'price' then operation.price_minor is not null
          when 'photos' then 'images' = any(operation.fields)
          else difference.field = any(operation.fields)
        end
    )
), unlike as materialized (
  -- A price rule may make the value that was sent differ where the item's own does not.
  select * from difference where mine <> theirs or field = 'price' and sent is not null
)
select (select count(*)::integer from unlike) as "count!", coalesce((
  select jsonb_agg(to_jsonb(page) order by page.noticed_at desc, page.uid desc)
  from (
    select uid, field, state, noticed_at, platform, url, item_uid, left(title, 1000) as title, image, item_state,
      price_minor, currency,
      case when field not in ('price', 'photos') then left(mine #>> '{}', 20000) end as mine_text,
      case when field not in ('price', 'photos') then left(theirs #>> '{}', 20000) end as theirs_text,
      case when field = 'price' then theirs end as theirs_price,
      case when field = 'photos' then cardinality(images) end as mine_count,
      case when field = 'photos' then jsonb_array_length(theirs) end as theirs_count,
      case when field = 'photos' then array(
        select photo from unnest(images) with ordinality as each (photo, place)
        where place <= 8 and length(photo) <= 300 order by place
      ) end as mine_photos,
      case when field = 'photos' then array(
        select photo from jsonb_array_elements_text(theirs) with ordinality as each (photo, place)
        where place <= 8 and length(photo) <= 300 order by place
      ) end as theirs_photos
    from unlike
    order by noticed_at desc, uid desc
    limit :limit offset :offset
  ) page
), '[]') as "rows!"

-- name: lockDifferences
-- type theirs: FieldValue
-- type state: DifferenceState
-- Returns differences with their listings and items, and locks the items and the differences until the transaction ends.
select difference.uid, difference.field, difference.theirs, difference.theirs_hash, difference.state, difference.sent,
  difference.seller_account_uid, difference.listing_id, listing.platform, listing.state as listing_state,
  listing.price_minor as listing_price_minor, listing.currency as listing_currency, item.uid as item_uid, item.title,
  item.description, coalesce(copy.sources, item.images) as "sources!", item.images, item.price_minor, item.currency,
  item.state as item_state, item.version
from listing_difference difference
join channel_listing listing on listing.user_id = difference.user_id
  and listing.seller_account_uid = difference.seller_account_uid and listing.listing_id = difference.listing_id
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where difference.user_id = :user_id and difference.uid = any(:uids::text[]) and difference.state <> 'same'
order by item.uid, difference.uid
for no key update of item, difference

-- name: lockItemValues
-- Returns an item's values, and locks it until the transaction ends.
select item.title, item.description, item.images, coalesce(copy.sources, item.images) as "sources!", item.price_minor,
  item.currency, item.state
from inventory_item item
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where item.user_id = :user_id and item.uid = :item_uid? and item.redirect_uid is null
for no key update of item

-- name: reopenDifference
-- Shows an ignored difference again. No row if it is gone, or has another value.
update listing_difference set state = 'open'
where user_id = :user_id and uid = :subject_uid and state = 'ignored'
returning uid

-- name: restoreDifference
-- Shows a decided difference of a live listing again. No row if the listing is gone or over, or has another difference.
insert into listing_difference as known (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select user_id, :subject_uid, seller_account_uid, listing_id, :field, :theirs, :theirs_hash, 'open', now()
from channel_listing
where user_id = :user_id and listing_id = :listing_id and platform = :platform? and item_uid = :item_uid?
  and state in ('available', 'reserved')
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = excluded.theirs_hash, state = 'open',
  noticed_at = excluded.noticed_at
where known.uid = excluded.uid or known.state = 'same'
returning uid

-- name: writeDifferences
-- Stores what a reading of listings told: differences that are new or have another value, without those that are gone.
with told as (
  select *
  from json_to_recordset(:rows::json) as row (
    uid text, listing_id text, field text, theirs jsonb, theirs_hash text, state text, sent text
  )
), gone as (
  delete from listing_difference difference
  using told
  where told.state is null and difference.user_id = :user_id
    and difference.seller_account_uid = :seller_account_uid and difference.listing_id = told.listing_id
    and difference.field = told.field
    -- The form in which a platform shows a value stays what later readings are compared with.
    and difference.state <> 'same'
)
insert into listing_difference as known (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at, sent
)
select :user_id, uid, :seller_account_uid, listing_id, field, theirs, theirs_hash, state, now(), sent
from told
where state is not null
-- Another value is another difference: nobody decides about a value that was not shown.
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = excluded.theirs_hash, state = excluded.state,
  noticed_at = excluded.noticed_at, sent = excluded.sent
