// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { ReadRow } from './read-items.ts'
import type { SalePlace } from '#server/selling/sales/observed-sale.ts'
import type { Attributes, HistoryEntry, SellerSettings } from '#shared/contract/catalog/inventory.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingText } from '#shared/listing-texts.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Updates the item that another was merged into. It keeps its data, and takes the other's aliases and, if it had none,
 * its SKU. */
export const absorbItem = statement<{ sku: string | null; user_id: number; item_uid: string; into_uid: string }, void>(
  'catalog/inventory/absorbItem',
  ['sku', 'user_id', 'item_uid', 'into_uid'],
  `update inventory_item kept set
  sku = coalesce(kept.sku, $1),
  aliases = kept.aliases || array(
    select alias from inventory_item merged, unnest(merged.aliases) as alias
    where merged.user_id = $2 and merged.uid = $3 and alias <> all(kept.aliases)
  ),
  version = kept.version + 1, updated_at = now()
where kept.user_id = $2 and kept.uid = $4`,
)

/** Returns the number of a user's items, without those that were merged. */
export const countItems = statement<{ user_id: number }, { total: number }>(
  'catalog/inventory/countItems',
  ['user_id'],
  `select count(*)::integer as total from inventory_item where user_id = $1 and redirect_uid is null`,
)

/** Deletes a locked item with its ended listings and its history, and resolves the alerts that only it could answer. */
export const deleteItem = statement<{ user_id: number; uid: string }, void>(
  'catalog/inventory/deleteItem',
  ['user_id', 'uid'],
  `with resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = $1 and coalesce(item_uid, '') = $2 and state = 'open'
    and kind in ('relist_offer', 'sale_refunded', 'listing_expired', 'update_refused', 'listing_refused')
)
delete from inventory_item
where user_id = $1 and uid = $2`,
)

/** Returns what names an account's currency: its settings, its connected shops from the first connected, its address. */
export const findAccountCurrency = statement<{ user_id: number }, { default_currency: string | null; country: string | null; shops: string[] }>(
  'catalog/inventory/findAccountCurrency',
  ['user_id'],
  `select
  (select default_currency from seller_settings where user_id = $1) as default_currency,
  (select country from postal_address where user_id = $1) as country,
  array(
    select currency from seller_account
    where user_id = $1 and status <> 'revoked' and currency is not null
    order by connected_at, uid
  ) as shops`,
)

/** Returns a platform on which an item is live or being published, if any. */
export const findLive = statement<{ user_id: number; uid: string }, { platform: PlatformSlug | null }>(
  'catalog/inventory/findLive',
  ['user_id', 'uid'],
  `select (
  select platform from channel_listing
  where user_id = $1 and item_uid = $2 and state in ('available', 'reserved')
  union all
  select platform from listing_operation
  where user_id = $1 and item_uid = $2 and kind = 'list' and state = 'open'
  limit 1
) as platform`,
)

/** Returns the item that an item was merged into. No row if it was not. */
export const findMergedInto = statement<{ user_id: number; uid: string }, { uid: string }>(
  'catalog/inventory/findMergedInto',
  ['user_id', 'uid'],
  `select redirect_uid as uid
from inventory_item
where user_id = $1 and uid = $2 and redirect_uid is not null`,
)

/** Returns the item that a draft became, by the draft's key. */
export const findDraft = statement<{ user_id: number; draft: string }, { uid: string }>(
  'catalog/inventory/findDraft',
  ['user_id', 'draft'],
  `select uid from inventory_item where user_id = $1 and file_row = $2`,
)

/** Returns an item by its uid alone, for its public page. Closed accounts and drafts have no public pages. */
export const findPublicItem = statement<{ uid: string }, { user_id: number; redirect_uid: string | null }>(
  'catalog/inventory/findPublicItem',
  ['uid'],
  `select item.user_id, item.redirect_uid
from inventory_item item
join app_user on app_user.id = item.user_id
where item.uid = $1 and app_user.state = 'active' and not (item.state = 'withdrawn' and item.attributes ? 'draft')`,
)

/** Returns a seller's settings. */
export const findSettings = statement<{ user_id: number }, { shipping_policy_url: string | null; returns_policy_url: string | null; default_currency: string | null; sku_required: boolean; alert_mails: SellerSettings['alert_mails'] | null; push_kinds: SellerSettings['push_kinds'] | null; price_rules: SellerSettings['price_rules']; units: 'us' | 'metric' | null; texts: ListingText[] }>(
  'catalog/inventory/findSettings',
  ['user_id'],
  `select shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules, units, texts
from seller_settings
where user_id = $1`,
)

/** Inserts an act on an item into its history: actor, time, reason, and what it changed. */
export const insertHistory = statement<{ user_id: number; item_uid: string; version: number; actor: string; from_state: string | null; to_state: string; reason: string; reference: string | null; changes: unknown }, void>(
  'catalog/inventory/insertHistory',
  ['user_id', 'item_uid', 'version', 'actor', 'from_state', 'to_state', 'reason', 'reference', 'changes'],
  `insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`,
)

/** Inserts items that a seller adds, with their first state in the history, in one statement. */
export const insertItems = statement<{ user_id: number; items: unknown }, void>(
  'catalog/inventory/insertItems',
  ['user_id', 'items'],
  `with made as (
  insert into inventory_item (
    user_id, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
    inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
    returns_policy_url, file_row
  )
  select $1, uid, sku, product_id, offer_id, title, description, attributes, images, condition_label,
    condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
    shipping_policy_url, returns_policy_url, file_row
  from json_to_recordset($2::json) as item (
    uid text, sku text, product_id text, offer_id text, title text, description text, attributes jsonb, images text[],
    condition_label text, condition_notes text, inspected_at date, evidence_urls text[], price_minor bigint,
    currency text, state text, observed_at timestamptz, seller_url text, shipping_policy_url text,
    returns_policy_url text, file_row text
  )
  returning uid, state
)
insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
select $1, uid, 1, 'user', state, 'Added by the seller'
from made`,
)

/** Returns the newest 1,000 states of an item, or those before a version, each with the order or the import that it came
 * of. */
export const listHistory = statement<{ user_id: number; uid: string; before_version: number | null }, { version: number; at: string; actor: string; from_state: HistoryEntry['from_state'] | null; to_state: HistoryEntry['to_state']; reason: string; reference: string | null; changes: HistoryEntry['changes']; witness: HistoryEntry['witness'] | null; place: SalePlace | null; order_source: 'platform' | 'scraped' | 'outside' | null; ordered_at: string | null; import_source: 'pull' | 'extension' | null }>(
  'catalog/inventory/listHistory',
  ['user_id', 'uid', 'before_version'],
  `select act.version, act.at, act.actor, act.from_state, act.to_state, act.reason, act.reference,
  coalesce(act.changes, '[]') as changes, act.witness, coalesce(ordered.platform, job.platform) as place,
  ordered.source as order_source, ordered.ordered_at as ordered_at, job.source as import_source
from inventory_history act
left join marketplace_order ordered on ordered.user_id = act.user_id and ordered.uid = act.reference
left join import_job job on job.user_id = act.user_id and job.uid = act.reference
where act.user_id = $1 and act.item_uid = $2
  and ($3::integer is null or act.version < $3)
order by act.version desc
limit 1000`,
)

/** Returns these items of a user or, without ids, a page of all, newest first, each with its listings, as JSON: one text to
 * read instead of 25 columns. `found` counts those that did not fit, too. The plan is kept: it depends on no value, and
 * PostgreSQL would take an unknown limit for a tenth of the inventory. Merged items are returned only by uid. */
export const listItems = statement<{ user_id: number; uid: string | null; before: string | null; uids: readonly (string | null)[] | null; limit: number | string; max_bytes: number | string }, { item: ReadRow; found: number }>(
  'catalog/inventory/listItems',
  ['user_id', 'uid', 'before', 'uids', 'limit', 'max_bytes'],
  `with page as materialized (
  select *
  from inventory_item item
  where item.user_id = $1 and (item.redirect_uid is null or item.uid = $2)
    and item.uid < coalesce($3, '~')
    and item.uid = any(coalesce($4::text[], array(
      select uid
      from (
        select uid
        from inventory_item
        where user_id = $1 and redirect_uid is null and uid < coalesce($3, '~')
        order by uid desc
        limit 101
      ) newest
      limit $5
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
          case when $2 is not null and channel_listing.state in ('available', 'reserved') then (
            select json_build_object(
              'state', case operation.state when 'open' then 'pending' else operation.state end,
              'fields', case when operation.price_minor is null then '{}'::text[] else '{price}' end || operation.fields,
              'error_code', operation.error_code, 'error_message', operation.error_message,
              'warnings', operation.warnings, 'at', coalesce(operation.finished_at, operation.created_at)
            )
            from (
              select *
              from listing_operation
              where user_id = $1 and item_uid = $2
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
        where user_id = $1 and item_uid = page.uid
        order by created_at, platform, listing_id
      ) listing
    ) listings on true
  ) row
)
select item as item, found as found
from (
  select uid, item, count(*) over () as found, row_number() over newest as place,
    sum(octet_length(item::text)) over newest as bytes_so_far
  from made
  window newest as (order by uid desc)
) weighed
where place = 1 or bytes_so_far <= $6
order by uid desc`,
)

/** Returns the ids of a page of the items that fit the filters, newest first. A search looks through the newest items, which
 * finds what many have, and reads the index of words where these are too few: sorting all matches of a common word, or
 * looking for a rare one from item to item, would read the whole inventory. */
export const findFiltered = statement<{ user_id: number; before: string | null; state: string | null; sku: string | null; updated_since: string | Date | null; platform: string | null; q: string | null; limit: number }, { uid: string }>(
  null,
  ['user_id', 'before', 'state', 'sku', 'updated_since', 'platform', 'q', 'limit'],
  `with fitting as not materialized (
  select item.uid, item.search_words
  from inventory_item item
  where item.user_id = $1 and item.redirect_uid is null and item.uid < coalesce($2, '~')
    and ($3::text is null or item.state = $3)
    and ($4::text is null or item.sku = $4)
    and ($5::timestamptz is null or item.updated_at >= $5::timestamptz)
),
newest as materialized (
  (
    select * from fitting
    where $6::text is null
    order by uid desc
    limit case when $7::text is null then $8 else 500 end
  )
  union all
  (
    select * from fitting
    where exists (
      select from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = fitting.uid and listing.platform = $6
    )
    order by uid desc
    limit case when $7::text is null then $8 else 500 end
  )
),
found as materialized (select uid from newest where $7::text is null or search_words @@ search_query($7)),
matches as materialized (
  select uid from fitting
  where $7::text is not null and search_words @@ search_query($7) and (select count(*) from found) < $8
    and ($6::text is null or exists (
      select from channel_listing listing
      where listing.user_id = $1 and listing.item_uid = fitting.uid and listing.platform = $6
    ))
)
select uid as uid from found
union
select uid from matches
order by 1 desc
limit $8`,
)

/** Returns an item's listings of which the seller said that they have ended, and whose shop was not read since. */
export const findUnseenEnds = statement<{ user_id: number; uid: string }, { platform: PlatformSlug; listing_id: string }>(
  'catalog/inventory/findUnseenEnds',
  ['user_id', 'uid'],
  `select listing.platform, listing.listing_id
from channel_listing listing
join seller_account shop on shop.user_id = listing.user_id and shop.uid = listing.seller_account_uid
where listing.user_id = $1 and listing.item_uid = $2 and listing.state = 'removed' and exists (
  select from extension_task task
  where task.user_id = $1 and task.listing_id = listing.listing_id and task.platform = listing.platform
    and task.kind = 'delist' and task.status = 'completed' and not coalesce(task.report, '{}') ? 'seen_down'
    and task.finished_at > coalesce(greatest(shop.last_seen_at, shop.reconciled_at), '-infinity')
)`,
)

/** Returns what was done on platforms with an item's listings, and later orders for it, newest first, each with the item's
 * version and state at that time. */
export const listListingActs = statement<{ user_id: number; uid: string; before_version: number | null }, { version: number; at: string; kind: 'list' | 'delist' | 'update' | 'oversell'; platform: PlatformSlug; fields: string[] | null; price_minor: number | null; currency: string | null; warnings: string[] | null; cause: string; external_order_id: string | null; state: Availability }>(
  'catalog/inventory/listListingActs',
  ['user_id', 'uid', 'before_version'],
  `select at_that_time.version, act.at as at, act.kind as kind, act.platform as platform, act.fields, act.price_minor, act.currency,
  act.warnings, act.cause as cause, act.external_order_id, at_that_time.to_state as state
from (
  select finished_at as at, kind, platform, fields, price_minor, currency, warnings, cause, null as external_order_id
  from listing_operation
  where user_id = $1 and item_uid = $2 and state = 'done'
  union all
  select line.recorded_at, 'oversell', sold.platform, null, null, null, null, 'sale', sold.external_order_id
  from order_line line
  join marketplace_order sold on sold.user_id = line.user_id and sold.uid = line.order_uid
  where line.user_id = $1 and line.item_uid = $2 and line.state = 'oversell' and sold.platform <> 'outside'
) act
join lateral (
  select version, to_state
  from inventory_history
  where user_id = $1 and item_uid = $2 and at <= act.at
  order by version desc
  limit 1
) at_that_time on true
where $3::integer is null or at_that_time.version < $3
order by act.at desc
limit 1000`,
)

/** Returns a page of a user's products in the order of their ids. */
export const listProducts = statement<{ user_id: number; after: string | null; limit: number | string }, { product_id: string; title: string; items: number; available: number }>(
  'catalog/inventory/listProducts',
  ['user_id', 'after', 'limit'],
  `select product_id, (array_agg(title order by uid desc))[1] as title, count(*)::integer as items,
  (count(*) filter (where state = 'available'))::integer as available
from inventory_item
where user_id = $1 and redirect_uid is null and ($2::text is null or product_id > $2)
group by product_id
order by product_id
limit $3`,
)

/** Returns the take-downs of an item, by the API or as tasks of the seller, in the order of their end. */
export const listTakeDowns = statement<{ user_id: number; uid: string }, { platform: PlatformSlug; listing_id: string | null; by: 'api' | 'seller'; asked_at: string; state: 'ending' | 'ended' | 'left'; ended_at: string | null }>(
  'catalog/inventory/listTakeDowns',
  ['user_id', 'uid'],
  `select platform as platform, listing_id, 'api' as by, created_at as asked_at,
  case when state = 'open' then 'ending' when state = 'done' then 'ended' else 'left' end as state,
  case when state = 'done' then coalesce(confirmed_at, finished_at) end as ended_at
from listing_operation
where user_id = $1 and item_uid = $2 and kind = 'delist' and (state <> 'cancelled' or alerted_at is not null)
union all
select task.platform, task.listing_id, 'seller', task.created_at,
  case task.status when 'open' then 'ending' when 'completed' then 'ended' else 'left' end,
  case task.status when 'completed' then task.finished_at end
from channel_listing listing
join extension_task task on task.user_id = listing.user_id and task.listing_id = listing.listing_id
  and task.platform = listing.platform and task.kind = 'delist' and task.item_uid = listing.item_uid
where listing.user_id = $1 and listing.item_uid = $2
order by 6, 1, 2`,
)

/** Returns an item and locks it until the transaction ends. A sale waits for us, or we for it. */
export const lockItem = statement<{ user_id: number; uid: string | null }, { uid: string; sku: string | null; product_id: string; offer_id: string; title: string; description: string; attributes: Attributes; images: string[]; condition_label: string; condition_notes: string; inspected_at: string; evidence_urls: string[]; price_minor: number; currency: string; state: 'available' | 'reserved' | 'sold' | 'withdrawn'; observed_at: string; seller_url: string; shipping_policy_url: string; returns_policy_url: string; aliases: string[]; redirect_uid: string | null; version: number; created_at: string; updated_at: string }>(
  'catalog/inventory/lockItem',
  ['user_id', 'uid'],
  `select uid, sku, product_id, offer_id, title, description, attributes, images, condition_label, condition_notes,
  inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
  returns_policy_url, aliases, redirect_uid, version, created_at, updated_at
from inventory_item
where user_id = $1 and uid = $2
for update`,
)

/** Moves everything that belongs to an item to the one that it is merged into: listings (an extra one beside a live
 * one), their operations and tasks, closed and late orders, and import items. */
export const moveReferences = statement<{ user_id: number; into_uid: string; item_uid: string }, void>(
  'catalog/inventory/moveReferences',
  ['user_id', 'into_uid', 'item_uid'],
  `with jobs as materialized (
  select job.uid from import_job job where job.user_id = $1
), listings as (
  update channel_listing listing set
    item_uid = $2, updated_at = now(),
    extra = listing.extra or listing.state in ('available', 'reserved') and exists (
      select from channel_listing other
      where other.user_id = $1 and other.item_uid = $2 and other.platform = listing.platform
        and other.state in ('available', 'reserved') and not other.extra
    )
  where listing.user_id = $1 and listing.item_uid = $3
  returning listing.listing_id
), imported as (
  update import_item item set created_inventory_item_uid = $2
  from jobs
  cross join listings
  where item.user_id = $1 and item.job_uid = jobs.uid and item.external_listing_id = listings.listing_id
    and item.created_inventory_item_uid = $3
), operations as (
  update listing_operation set item_uid = $2
  where user_id = $1 and item_uid = $3 and not (kind = 'list' and state = 'open')
), tasks as (
  update extension_task set item_uid = $2
  where user_id = $1 and item_uid = $3 and not (kind = 'list' and status = 'open')
), lines as (
  update order_line set item_uid = $2
  where user_id = $1 and item_uid = $3 and state not in ('held', 'sold')
)
update alert set item_uid = $2
where user_id = $1 and item_uid = $3 and not (
  state = 'open' and exists (
    select from alert other
    where other.user_id = $1 and other.kind = alert.kind and other.item_uid = $2
      and other.reference = alert.reference and other.state = 'open'
  )
)`,
)

/** Replaces a seller's settings. No row if the account is closed. */
export const putSettings = statement<{ shipping_policy_url: string | null; returns_policy_url: string | null; default_currency: string | null; sku_required: boolean; alert_mails: readonly (string | null)[] | null; push_kinds: readonly (string | null)[] | null; price_rules: unknown; units: string | null; texts: unknown; user_id: number }, { user_id: number }>(
  'catalog/inventory/putSettings',
  ['shipping_policy_url', 'returns_policy_url', 'default_currency', 'sku_required', 'alert_mails', 'push_kinds', 'price_rules', 'units', 'texts', 'user_id'],
  `insert into seller_settings (
  user_id, shipping_policy_url, returns_policy_url, default_currency, sku_required, alert_mails, push_kinds, price_rules, units, texts
)
select id, $1, $2, $3, $4, $5::text[],
  $6::text[], $7, $8, $9
from (
  select id from app_user left join seller_settings shard on shard.user_id = $10
  where id = $10 and state = 'active'
  for share of app_user
) holder
on conflict (user_id) do update set
  shipping_policy_url = excluded.shipping_policy_url, returns_policy_url = excluded.returns_policy_url,
  default_currency = excluded.default_currency, sku_required = excluded.sku_required,
  alert_mails = excluded.alert_mails, push_kinds = excluded.push_kinds, price_rules = excluded.price_rules, units = excluded.units,
  texts = excluded.texts, updated_at = excluded.updated_at
returning user_id`,
)

/** Returns the versions of items. */
export const readVersions = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string; version: number }>(
  'catalog/inventory/readVersions',
  ['user_id', 'uids'],
  `select uid, version
from inventory_item
where user_id = $1 and uid = any($2::text[])
order by uid`,
)

/** Redirects a merged item to the one that it was merged into, and frees its SKU. */
export const redirectItem = statement<{ user_id: number; item_uid: string; into_uid: string }, void>(
  'catalog/inventory/redirectItem',
  ['user_id', 'item_uid', 'into_uid'],
  `with forgotten as (
  delete from match_item where user_id = $1 and item_uid = $2
)
update inventory_item set redirect_uid = $3, sku = null, updated_at = now()
where user_id = $1 and uid = $2`,
)

/** Takes an item from its orders, to be recorded again for the item that it is merged into, and ends its sales. Returns
 * each line as its platform last reported it. */
export const releaseLines = statement<{ user_id: number; item_uid: string }, { order_uid: string; platform: SalePlace; seller_account_uid: string | null; external_order_id: string; source: 'platform' | 'scraped' | 'outside'; ordered_at: string; modified_at: string; external_line_id: string; listing_id: string; sku: string | null; quantity: number; price_minor: number; currency: string; status: 'pending' | 'paid' | 'cancelled'; was_sold: boolean }>(
  'catalog/inventory/releaseLines',
  ['user_id', 'item_uid'],
  `with released as (
  update order_line line set state = 'unmatched', item_uid = null, matched_by = null
  where line.user_id = $1 and line.item_uid = $2 and line.state in ('held', 'sold')
  returning line.*
), ended as (
  update sale set cancelled = true, cancelled_at = now()
  where user_id = $1 and item_uid = $2 and not cancelled
  returning order_uid, external_line_id
)
select ordered.uid as order_uid, ordered.platform, ordered.seller_account_uid, ordered.external_order_id, ordered.source, ordered.ordered_at,
  ordered.modified_at, line.external_line_id, line.listing_id, line.sku, line.quantity, line.price_minor, line.currency,
  line.status, ended.order_uid is not null as was_sold
from released line
join marketplace_order ordered on ordered.user_id = $1 and ordered.uid = line.order_uid
left join ended on ended.order_uid = line.order_uid and ended.external_line_id = line.external_line_id`,
)

/** Stores the data of locked items, each as its next version, with an entry in its history where the item has changed. */
export const updateItems = statement<{ items: unknown; user_id: number }, void>(
  'catalog/inventory/updateItems',
  ['items', 'user_id'],
  `with given as materialized (
  select *
  from json_to_recordset($1::json) as item (
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
  where item.user_id = $2 and item.uid = given.uid
  returning item.uid, item.version, item.state, given.from_state, given.reason, given.changes
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from changed
  where changed.from_state in ('sold', 'reserved') and changed.state not in ('sold', 'reserved')
    and alert.user_id = $2 and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = changed.uid
    and alert.state = 'open' and (not alert.data ? 'operation_id' or alert.data ? 'ended_said_at')
)
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, changes)
select $2, uid, version, 'user', from_state, state, reason, changes
from changed
where from_state <> state or changes <> '[]'`,
)
