-- import type { ReadRow } from './read-items.ts'
-- import type { SalePlace } from '#server/selling/sales/observed-sale.ts'
-- import type { Attributes, HistoryEntry, SellerSettings } from '#shared/contract/catalog/inventory.ts'
-- import type { Availability } from '#shared/item/inventory-record.ts'
-- import type { ListingText } from '#shared/listing-texts.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: absorbItem
-- Updates the item that another was merged into. It keeps its data, and takes the other's aliases and, if it had none,
-- its SKU.
update inventory_item kept set
  sku = coalesce(kept.sku, :sku?),
  aliases = kept.aliases || array(
    select alias from inventory_item merged, unnest(merged.aliases) as alias
    where merged.user_id = :user_id and merged.uid = :item_uid and alias <> all(kept.aliases)
  ),
  version = kept.version + 1, updated_at = now()
where kept.user_id = :user_id and kept.uid = :into_uid

-- name: countItems
-- Returns the number of a user's items, without those that were merged.
select count(*)::integer as "total!" from inventory_item where user_id = :user_id and redirect_uid is null

-- name: deleteItem
-- Deletes a locked item with its ended listings and its history, and resolves the alerts that only it could answer.
with resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = :user_id and coalesce(item_uid, '') = :uid and state = 'open'
    and kind in ('relist_offer', 'sale_refunded', 'listing_expired', 'update_refused', 'listing_refused')
)
delete from inventory_item
where user_id = :user_id and uid = :uid

-- name: findAccountCurrency
-- Returns what names an account's currency: its settings, its connected shops from the first connected, its address.
select
  (select default_currency from seller_settings where user_id = :user_id) as default_currency,
  (select country from postal_address where user_id = :user_id) as country,
  array(
    select currency from seller_account
    where user_id = :user_id and status <> 'revoked' and currency is not null
    order by connected_at, uid
  ) as "shops!"

-- name: findLive
-- Returns a platform on which an item is live or being published, if any.
select (
  select platform from channel_listing
  where user_id = :user_id and item_uid = :uid and state in ('available', 'reserved')
  union all
  select platform from listing_operation
  where user_id = :user_id and item_uid = :uid and kind = 'list' and state = 'open'
  limit 1
) as platform

-- name: findMergedInto
-- Returns the item that an item was merged into. No row if it was not.
select redirect_uid as "uid!"
from inventory_item
where user_id = :user_id and uid = :uid and redirect_uid is not null

-- name: findDraft
-- Returns the item that a draft became, by the draft's key.
select uid from inventory_item where user_id = :user_id and file_row = :draft

-- name: findPublicItem
-- Returns an item by its uid alone, for its public page. Closed accounts and drafts have no public pages.
select item.user_id, item.redirect_uid
from inventory_item item
join app_user on app_user.id = item.user_id
where item.uid = :uid and app_user.state = 'active' and not (item.state = 'withdrawn' and item.attributes ? 'draft')

-- name: findSettings
-- type alert_mails: SellerSettings['alert_mails']
-- type push_kinds: SellerSettings['push_kinds']
-- type price_rules: SellerSettings['price_rules']
-- type texts: ListingText[]
-- Returns a seller's settings.
select shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules, units, texts
from seller_settings
where user_id = :user_id

-- name: insertHistory
-- Inserts an act on an item into its history: actor, time, reason, and what it changed.
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
values (:user_id, :item_uid, :version, :actor, :from_state?, :to_state, :reason, :reference?, :changes::jsonb)

-- name: insertItems
-- Inserts items that a seller adds, with their first state in the history, in one statement.
with made as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url, file_row
  )
  select :user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url, file_row
  from json_to_recordset(:items::json) as item (
    uid text, sku text, product_id text, offer_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text, file_row text
  )
  returning uid, state
)
insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
select :user_id, uid, 1, 'user', state, 'Added by the seller'
from made

-- name: listHistory
-- type from_state: HistoryEntry['from_state']
-- type to_state: HistoryEntry['to_state']
-- type changes: HistoryEntry['changes']
-- type witness: HistoryEntry['witness']
-- type place: SalePlace
-- Returns the newest 1,000 states of an item, or those before a version, each with the order or the import that it came
-- of.
select act.version, act.at, act.actor, act.from_state, act.to_state, act.reason, act.reference,
  coalesce(act.changes, '[]') as "changes!", act.witness, coalesce(ordered.platform, job.platform) as "place?",
  ordered.source as "order_source?", ordered.ordered_at as "ordered_at?", job.source as "import_source?"
from inventory_history act
left join marketplace_order ordered on ordered.user_id = act.user_id and ordered.uid = act.reference
left join import_job job on job.user_id = act.user_id and job.uid = act.reference
where act.user_id = :user_id and act.item_uid = :uid
  and (:before_version?::integer is null or act.version < :before_version)
order by act.version desc
limit 1000

-- name: listItems
-- type item: ReadRow
-- Returns these items of a user or, without ids, a page of all, newest first, each with its listings, as JSON: one text to
-- read instead of 25 columns. `found` counts those that did not fit, too. The plan is kept: it depends on no value, and
-- PostgreSQL would take an unknown limit for a tenth of the inventory. Merged items are returned only by uid.
with page as materialized (
  select *
  from inventory_item item
  where item.user_id = :user_id and (item.redirect_uid is null or item.uid = :uid?)
    and item.uid < coalesce(:before?, '~')
    and item.uid = any(coalesce(:uids?::text[], array(
      select uid
      from (
        select uid
        from inventory_item
        where user_id = :user_id and redirect_uid is null and uid < coalesce(:before, '~')
        order by uid desc
        limit 101
      ) newest
      limit :limit
    )))
),
made as (
  select uid, row_to_json(row) as item
  from (
    select page.uid, page.sku, page.product_id, page.offer_id, page.title, page.description, page.attributes, page.images,
      page.condition_label, page.condition_notes, page.inspected_at, page.evidence_urls, page.price_minor, page.currency,
      page.state, page.observed_at, page.seller_url, page.shipping_policy_url, page.returns_policy_url, page.aliases,
      page.redirect_uid, page.version, page.created_at, page.updated_at, coalesce(listings.rows, '[]') as listings
    from page
    left join lateral (
      select json_agg(listing) as rows
      from (
        select platform, listing_id, url, seller_account_uid, state, price_minor, currency, terms,
          coalesce(listed_at, for_sale_since, created_at) as listed_at,
          -- The last update of a live listing, where one item is read. A finished one is of interest for 30 days, with
          -- warnings.
          case when :uid is not null and channel_listing.state in ('available', 'reserved') then (
            select json_build_object(
              'state', case operation.state when 'open' then 'pending' else operation.state end,
              'fields', case when operation.price_minor is null then '{}'::text[] else '{price}' end || operation.fields,
              'error_code', operation.error_code, 'error_message', operation.error_message,
              'warnings', operation.warnings, 'at', coalesce(operation.finished_at, operation.created_at)
            )
            from (
              select *
              from listing_operation
              where user_id = :user_id and item_uid = :uid
                and (kind = 'update' or kind = 'list' and state = 'done' and warnings is not null)
                and seller_account_uid = channel_listing.seller_account_uid
                and coalesce(listing_id = channel_listing.listing_id, true) and state <> 'cancelled'
              order by created_at desc
              limit 1
            ) operation
            where operation.state in ('open', 'failed')
              or operation.warnings is not null and operation.finished_at > now() - interval '30 days'
          ) end as update
        from channel_listing
        where user_id = :user_id and item_uid = page.uid
        order by created_at, platform, listing_id
      ) listing
    ) listings on true
  ) row
)
-- The page ends before the response gets too large, but has at least one item.
select item as "item!", found as "found!"
from (
  select uid, item, count(*) over () as found, row_number() over newest as place,
    sum(octet_length(item::text)) over newest as bytes_so_far
  from made
  window newest as (order by uid desc)
) weighed
where place = 1 or bytes_so_far <= :max_bytes
order by uid desc

-- name: findFiltered
-- unprepared, since a filter decides which index is read.
-- Returns the ids of a page of the items that fit the filters, newest first. A search looks through the newest items, which
-- finds what many have, and reads the index of words where these are too few: sorting all matches of a common word, or
-- looking for a rare one from item to item, would read the whole inventory.
with fitting as not materialized (
  select item.uid, item.search_words
  from inventory_item item
  where item.user_id = :user_id and item.redirect_uid is null and item.uid < coalesce(:before?, '~')
    and (:state?::text is null or item.state = :state)
    and (:sku?::text is null or item.sku = :sku)
    and (:updated_since?::timestamptz is null or item.updated_at >= :updated_since::timestamptz)
),
-- One of the two conditions: an `or` would check the listings of each item.
newest as materialized (
  (
    select * from fitting
    where :platform?::text is null
    order by uid desc
    limit case when :q?::text is null then :limit else 500 end
  )
  union all
  (
    select * from fitting
    where exists (
      select from channel_listing listing
      where listing.user_id = :user_id and listing.item_uid = fitting.uid and listing.platform = :platform
    )
    order by uid desc
    limit case when :q::text is null then :limit else 500 end
  )
),
found as materialized (select uid from newest where :q::text is null or search_words @@ search_query(:q)),
matches as materialized (
  select uid from fitting
  where :q::text is not null and search_words @@ search_query(:q) and (select count(*) from found) < :limit
    and (:platform::text is null or exists (
      select from channel_listing listing
      where listing.user_id = :user_id and listing.item_uid = fitting.uid and listing.platform = :platform
    ))
)
select uid as "uid!" from found
union
select uid from matches
order by 1 desc
limit :limit

-- name: findUnseenEnds
-- Returns an item's listings of which the seller said that they have ended, and whose shop was not read since.
select listing.platform, listing.listing_id
from channel_listing listing
join seller_account shop on shop.user_id = listing.user_id and shop.uid = listing.seller_account_uid
where listing.user_id = :user_id and listing.item_uid = :uid and listing.state = 'removed' and exists (
  select from extension_task task
  where task.user_id = :user_id and task.listing_id = listing.listing_id and task.platform = listing.platform
    and task.kind = 'delist' and task.status = 'completed' and not coalesce(task.report, '{}') ? 'seen_down'
    and task.finished_at > coalesce(greatest(shop.last_seen_at, shop.reconciled_at), '-infinity')
)

-- name: listListingActs
-- type kind: 'list' | 'delist' | 'update' | 'oversell'
-- type state: Availability
-- Returns what was done on platforms with an item's listings, and later orders for it, newest first, each with the item's
-- version and state at that time.
select at_that_time.version, act.at as "at!", act.kind as "kind!", act.platform as "platform!", act.fields, act.price_minor, act.currency,
  act.warnings, act.cause as "cause!", act.external_order_id, at_that_time.to_state as state
from (
  select finished_at as at, kind, platform, fields, price_minor, currency, warnings, cause, null as external_order_id
  from listing_operation
  where user_id = :user_id and item_uid = :uid and state = 'done'
  union all
  select line.recorded_at, 'oversell', sold.platform, null, null, null, null, 'sale', sold.external_order_id
  from order_line line
  join marketplace_order sold on sold.user_id = line.user_id and sold.uid = line.order_uid
  where line.user_id = :user_id and line.item_uid = :uid and line.state = 'oversell' and sold.platform <> 'outside'
) act
join lateral (
  select version, to_state
  from inventory_history
  where user_id = :user_id and item_uid = :uid and at <= act.at
  order by version desc
  limit 1
) at_that_time on true
where :before_version?::integer is null or at_that_time.version < :before_version
order by act.at desc
limit 1000

-- name: listProducts
-- Returns a page of a user's products in the order of their ids.
select product_id, (array_agg(title order by uid desc))[1] as "title!", count(*)::integer as "items!",
  (count(*) filter (where state = 'available'))::integer as "available!"
from inventory_item
where user_id = :user_id and redirect_uid is null and (:after?::text is null or product_id > :after)
group by product_id
order by product_id
limit :limit

-- name: listTakeDowns
-- type platform: PlatformSlug
-- type by: 'api' | 'seller'
-- type state: 'ending' | 'ended' | 'left'
-- Returns the take-downs of an item, by the API or as tasks of the seller, in the order of their end.
select platform as "platform!", listing_id, 'api' as "by!", created_at as "asked_at!",
  case when state = 'open' then 'ending' when state = 'done' then 'ended' else 'left' end as "state!",
  case when state = 'done' then coalesce(confirmed_at, finished_at) end as "ended_at?"
from listing_operation
where user_id = :user_id and item_uid = :uid and kind = 'delist' and (state <> 'cancelled' or alerted_at is not null)
union all
select task.platform, task.listing_id, 'seller', task.created_at,
  case task.status when 'open' then 'ending' when 'completed' then 'ended' else 'left' end,
  case task.status when 'completed' then task.finished_at end
from channel_listing listing
join extension_task task on task.user_id = listing.user_id and task.listing_id = listing.listing_id
  and task.platform = listing.platform and task.kind = 'delist' and task.item_uid = listing.item_uid
where listing.user_id = :user_id and listing.item_uid = :uid
order by 6, 1, 2

-- name: lockItem
-- type attributes: Attributes
-- Returns an item and locks it until the transaction ends. A sale waits for us, or we for it.
select uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
  inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
  returns_policy_url, aliases, redirect_uid, version, created_at, updated_at
from inventory_item
where user_id = :user_id and uid = :uid?
for update

-- name: moveReferences
-- Moves everything that belongs to an item to the one that it is merged into: listings (an extra one beside a live
-- one), their operations and tasks, closed and late orders, and import items.
with jobs as materialized (
  select job.uid from import_job job where job.user_id = :user_id
), listings as (
  update channel_listing listing set
    item_uid = :into_uid, updated_at = now(),
    extra = listing.extra or listing.state in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = :user_id and other.item_uid = :into_uid and other.platform = listing.platform
        and other.state in ('available', 'reserved') and not other.extra
    )
  where listing.user_id = :user_id and listing.item_uid = :item_uid
  returning listing.listing_id
), imported as (
  update import_item item set created_inventory_item_uid = :into_uid
  from jobs
  cross join listings
  where item.user_id = :user_id and item.job_uid = jobs.uid and item.external_listing_id = listings.listing_id
    and item.created_inventory_item_uid = :item_uid
), operations as (
  -- Except open list operations: their worker knows the item by its old uid.
  update listing_operation set item_uid = :into_uid
  where user_id = :user_id and item_uid = :item_uid and not (kind = 'list' and state = 'open')
), tasks as (
  update extension_task set item_uid = :into_uid
  where user_id = :user_id and item_uid = :item_uid and not (kind = 'list' and status = 'open')
), lines as (
  update order_line set item_uid = :into_uid
  where user_id = :user_id and item_uid = :item_uid and state not in ('held', 'sold')
)
update alert set item_uid = :into_uid
where user_id = :user_id and item_uid = :item_uid and not (
  state = 'open' and exists (
    select from alert other
    where other.user_id = :user_id and other.kind = alert.kind and other.item_uid = :into_uid
      and other.reference = alert.reference and other.state = 'open'
  )
)

-- name: putSettings
-- Replaces a seller's settings. No row if the account is closed.
insert into seller_settings (
  user_id, shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules, units, texts
)
select id, :shipping_policy_url?, :returns_policy_url?, :default_currency?, :sku_required, :alert_mails?::text[],
  :push_kinds?::text[], :price_rules, :units?, :texts
from (
  select id from app_user left join seller_settings shard on shard.user_id = :user_id
  where id = :user_id and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set
  shipping_policy_url = excluded.shipping_policy_url, returns_policy_url = excluded.returns_policy_url,
  default_currency = excluded.default_currency, sku_required = excluded.sku_required,
  alert_mails = excluded.alert_mails, push_kinds = excluded.push_kinds, price_rules = excluded.price_rules, units = excluded.units,
  texts = excluded.texts, updated_at = excluded.updated_at
returning user_id

-- name: readVersions
-- Returns the versions of items.
select uid, version
from inventory_item
where user_id = :user_id and uid = any(:uids::text[])
order by uid

-- name: redirectItem
-- Redirects a merged item to the one that it was merged into, and frees its SKU.
with forgotten as (
  delete from match_item where user_id = :user_id and item_uid = :item_uid
)
update inventory_item set redirect_uid = :into_uid, sku = null, updated_at = now()
where user_id = :user_id and uid = :item_uid

-- name: releaseLines
-- type platform: SalePlace
-- Takes an item from its orders, to be recorded again for the item that it is merged into, and ends its sales. Returns
-- each line as its platform last reported it.
with released as (
  update order_line line set state = 'unmatched', item_uid = null, matched_by = null
  where line.user_id = :user_id and line.item_uid = :item_uid and line.state in ('held', 'sold')
  returning line.*
), ended as (
  update sale set cancelled = true, cancelled_at = now()
  where user_id = :user_id and item_uid = :item_uid and not cancelled
  returning order_uid, external_line_id
)
select ordered.uid as order_uid, ordered.platform, ordered.seller_account_uid, ordered.external_order_id, ordered.source, ordered.ordered_at,
  ordered.modified_at, line.external_line_id, line.listing_id, line.sku, line.quantity, line.price_minor, line.currency,
  line.status, ended.order_uid is not null as "was_sold!"
from released line
join marketplace_order ordered on ordered.user_id = :user_id and ordered.uid = line.order_uid
left join ended on ended.order_uid = line.order_uid and ended.external_line_id = line.external_line_id

-- name: updateItems
-- Stores the data of locked items, each as its next version, with an entry in its history where the item has changed.
with given as materialized (
  select *
  from json_to_recordset(:items::json) as item (
    uid text, sku text, product_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, shipping_policy_url text, returns_policy_url text, from_state text, reason text,
    changes jsonb
  )
), changed as (
  update inventory_item item set
    sku = given.sku, product_id = given.product_id, title = given.title, description = given.description,
    attributes = given.attributes, images = given.images, condition_label = given.condition_label,
    condition_notes = given.condition_notes, inspected_at = given.inspected_at, evidence_urls = given.evidence_urls,
    price_minor = given.price_minor, currency = given.currency, state = given.state,
    shipping_policy_url = given.shipping_policy_url, returns_policy_url = given.returns_policy_url,
    version = item.version + 1, updated_at = now()
  from given
  where item.user_id = :user_id and item.uid = given.uid
  returning item.uid, item.version, item.state, given.from_state, given.reason, given.changes
), settled as (
  -- As in moveItem.
  update alert set state = 'resolved', finished_at = now()
  from changed
  where changed.from_state in ('sold', 'reserved') and changed.state not in ('sold', 'reserved')
    and alert.user_id = :user_id and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = changed.uid
    and alert.state = 'open' and (not alert.data ? 'operation_id' or alert.data ? 'ended_said_at')
)
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, changes)
select :user_id, uid, version, 'user', from_state, state, reason, changes
from changed
where from_state <> state or changes <> '[]'
