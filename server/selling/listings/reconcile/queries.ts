// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { NewListing } from './join-relisting.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Alerts the seller of an available item that its listing expired. `words` follow the item's title. */
export const alertExpired = statement<{ user_id: number; uid: string; platform: string; listing_id: string; words: string; url: string; seller_account_uid: string; item_uid: string }, void>(
  'selling/listings/reconcile/alertExpired',
  ['user_id', 'uid', 'platform', 'listing_id', 'words', 'url', 'seller_account_uid', 'item_uid'],
  `insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select $1, $2, 'listing_expired', item.uid, $3, $4, 'The listing of "' || item.title || $5,
  jsonb_build_object(
    'listing_id', $4::text, 'listing_url', $6::text, 'seller_account_uid', $7::text,
    'platforms', jsonb_build_array($3::text)
  )
from inventory_item item
where item.user_id = $1 and item.uid = $8 and item.state = 'available'
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing`,
)

/** Asks which item a listing sells that the marketplace relisted under a new id. It is asked once. */
export const alertUnclear = statement<{ user_id: number; uid: string; platform: string; listing_id: string; message: string; data: unknown }, void>(
  'selling/listings/reconcile/alertUnclear',
  ['user_id', 'uid', 'platform', 'listing_id', 'message', 'data'],
  `insert into alert (user_id, uid, kind, platform, reference, message, data)
select $1, $2, 'relist_unclear', $3, $4, $5, $6::jsonb
where not exists (
  select from alert earlier
  where earlier.user_id = $1 and earlier.kind = 'relist_unclear' and earlier.reference = $4
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing`,
)

/** Claims shops whose listings were last compared an hour ago, or as long ago as all connected shops of their platform
 * take at `seconds_per_shop`. A shop with reported changes is due after five minutes. Workers claim different shops. */
export const claimShopsToReconcile = statement<{ platforms: readonly (string | null)[]; seconds_per_shop: readonly (number | null)[]; limit: number | string }, { user_id: number; seller_account_uid: string; platform: OAuthSlug }>(
  'selling/listings/reconcile/claimShopsToReconcile',
  ['platforms', 'seconds_per_shop', 'limit'],
  `update seller_account account set reconciled_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(3600, given.seconds * count(*)) * interval '1 second' as turn
    from unnest($1::text[], $2::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and (
      coalesce(seller_account.reconciled_at, seller_account.connected_at) < now() - plan.turn
      or seller_account.listings_changed_at > coalesce(seller_account.reconciled_at, '-infinity')
        and coalesce(seller_account.reconciled_at, '-infinity') < now() - interval '5 minutes'
    )
  order by seller_account.reconciled_at nulls first
  limit $3
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform`,
)

/** Claims shops whose unpaid purchases were last read a minute ago. With many shops the interval is longer:
 * `seconds_per_shop` for each connected shop of the platform. Workers claim different shops. */
export const claimShopsWithUnpaid = statement<{ platforms: readonly (string | null)[]; seconds_per_shop: readonly (number | null)[]; limit: number | string }, { user_id: number; seller_account_uid: string; platform: OAuthSlug }>(
  'selling/listings/reconcile/claimShopsWithUnpaid',
  ['platforms', 'seconds_per_shop', 'limit'],
  `update seller_account account set unpaid_read_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(55, given.seconds * count(*)) * interval '1 second' as turn
    from unnest($1::text[], $2::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and coalesce(seller_account.unpaid_read_at, '-infinity') < now() - plan.turn
  order by seller_account.unpaid_read_at nulls first
  limit $3
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform`,
)

/** Records that a listing was ended on the platform itself. No row if it changed meanwhile. */
export const endOutside = statement<{ user_id: number; seller_account_uid: string; listing_id: string; item_uid: string }, { item_uid: string }>(
  'selling/listings/reconcile/endOutside',
  ['user_id', 'seller_account_uid', 'listing_id', 'item_uid'],
  `with ended as (
  update channel_listing listing set state = 'removed', extra = false, observed_at = now(), updated_at = now()
  where listing.user_id = $1 and listing.seller_account_uid = $2
    and listing.listing_id = $3 and listing.item_uid = $4
    and listing.state in ('available', 'reserved') and listing.updated_at < now() - interval '15 minutes'
    and not exists (
      select from listing_operation operation
      where operation.user_id = $1 and operation.item_uid = listing.item_uid and operation.state = 'open'
        and operation.seller_account_uid = listing.seller_account_uid
        and not (
          operation.kind = 'update' and operation.lease_until is null
          and operation.next_attempt_at > now() + interval '6 minutes'
        )
    )
  returning listing.item_uid
), resolved as (
  update alert set state = 'resolved', finished_at = now()
  from ended
  where alert.user_id = $1 and alert.kind = 'update_refused' and coalesce(alert.item_uid, '') = ended.item_uid
    and alert.reference = $3 and alert.state = 'open'
)
select item_uid from ended`,
)

/** Records that a listing has ended that the platform replaced by another. */
export const endReplaced = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'selling/listings/reconcile/endReplaced',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set state = 'removed', extra = false, observed_at = now(), updated_at = now()
where user_id = $1 and seller_account_uid = $2 and listing_id = $3
  and state in ('available', 'reserved')`,
)

/** Returns the listings of a shop that a new one may replace, the newest of each item: the one with a named id, or else
 * those with the SKU or all words of the title. `bought_by`: the line of an order by which a buyer has the item. */
export const findEarlier = statement<{ relist_of: string | null; title: string; user_id: number; seller_account_uid: string; sku: string | null }, { item_uid: string; listing_id: string; is_parent: boolean; is_live: boolean; sku: string | null; price_minor: number; currency: string; title: string; images: string[]; bought_by: string | null; bought_source: 'platform' | 'scraped' | 'outside' | null; bought_line: string | null }>(
  'selling/listings/reconcile/findEarlier',
  ['relist_of', 'title', 'user_id', 'seller_account_uid', 'sku'],
  `select distinct on (item.uid) item.uid as item_uid, listing.listing_id, coalesce(listing.listing_id = $1, false) as is_parent,
  listing.state in ('available', 'reserved') as is_live, coalesce(listing.sku, item.sku) as sku, listing.price_minor,
  listing.currency, item.title, item.images, buyer.external_order_id as bought_by, buyer.source as bought_source,
  buyer.external_line_id as bought_line
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.redirect_uid is null
cross join lateral (
  select string_agg('''' || word || '''', ' & ')::tsquery as words from unnest(search_words($2)) word
) sought
left join lateral (
  select ordered.external_order_id, ordered.source, line.external_line_id
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = $3 and line.item_uid = item.uid and line.listing_id = listing.listing_id
    and line.state in ('held', 'sold') and ordered.seller_account_uid = $4
  limit 1
) buyer on true
where listing.user_id = $3 and listing.seller_account_uid = $4 and (
  listing.listing_id = $1
  or (
    listing.updated_at > now() - interval '120 days'
    and (item.sku = $5 or listing.sku = $5 or item.search_words @@ sought.words)
    and not exists (
      select from channel_listing parent
      where parent.user_id = $3 and parent.seller_account_uid = $4 and parent.listing_id = $1
    )
  )
)
order by item.uid, listing.listing_id = $1 desc nulls last, listing.updated_at desc
limit 6`,
)

/** Returns those of a shop's listings that are live here and have no open operation. A change that the platform takes
 * only later, in more than the longest wait between two tries, hides nothing. */
export const findLiveOfShop = statement<{ user_id: number; seller_account_uid: string; listing_ids: readonly (string | null)[] }, { listing_id: string; item_uid: string; url: string; price_minor: number; currency: string; is_left_over: boolean }>(
  'selling/listings/reconcile/findLiveOfShop',
  ['user_id', 'seller_account_uid', 'listing_ids'],
  `select listing.listing_id, listing.item_uid, listing.url, listing.price_minor, listing.currency,
  listing.state = 'reserved' and item.state in ('available', 'withdrawn') as is_left_over
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = any($3::text[]) and listing.state in ('available', 'reserved')
  and not exists (
    select from listing_operation operation
    where operation.user_id = $1 and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
      and not (
        operation.kind = 'update' and operation.lease_until is null
        and operation.next_attempt_at > now() + interval '6 minutes'
      )
  )
order by listing.listing_id`,
)

/** Returns those of a shop's listings that are live there and ended here. An import counts by what was known when it
 * began. Listings that changed within the last 15 minutes, or are being changed, are left out: the platform may lag
 * behind. (The extension reads the page that buyers see.) A listing that was imported as sold, with an unknown buyer,
 * is a question for the seller. */
export const findRelisted = statement<{ job_uid: string | null; user_id: number; seller_account_uid: string; listing_ids: readonly (string | null)[] }, { listing_id: string; item_uid: string; url: string }>(
  'selling/listings/reconcile/findRelisted',
  ['job_uid', 'user_id', 'seller_account_uid', 'listing_ids'],
  `select listing.listing_id, listing.item_uid, listing.url
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join import_job job on job.user_id = listing.user_id and job.uid = coalesce($1, '')
where listing.user_id = $2 and listing.seller_account_uid = $3
  and listing.listing_id = any($4::text[]) and listing.state in ('removed', 'sold')
  and listing.updated_at < case job.source
    when 'extension' then coalesce(job.read_since, job.created_at)
    else coalesce(job.created_at, now()) - interval '15 minutes'
  end
  and not exists (
    select from listing_operation operation
    where operation.user_id = $2 and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
      and not (
        operation.kind = 'update' and operation.lease_until is null
        and operation.next_attempt_at > now() + interval '6 minutes'
      )
  )
  and (
    listing.state = 'removed' or item.state <> 'sold' or exists (
      select from order_line line
      where line.user_id = $2 and line.item_uid = item.uid and line.state = 'sold'
    )
  )
order by listing.observed_at, listing.listing_id`,
)

/** Returns the question about a listing, with what was read of it. */
export const findUnclear = statement<{ user_id: number; uid: string }, { platform: OAuthSlug; seller_account_uid: string; relisting: NewListing; state: 'open' | 'resolved' | 'dismissed'; answer: string | null }>(
  'selling/listings/reconcile/findUnclear',
  ['user_id', 'uid'],
  `select platform as platform, data ->> 'seller_account_uid' as seller_account_uid, data -> 'relisting' as relisting, state,
  data ->> 'answer' as answer
from alert
where user_id = $1 and uid = $2 and kind = 'relist_unclear'
for update`,
)

/** Returns those of the given listings of a shop that no item has and that were not read yet, the newest first. `began`: the
 * time of each; those from before the first listing of the shop was known are left to imports. `with_ordered`: also what
 * orders without an item name. */
export const findUnread = statement<{ listing_ids: readonly (string | null)[]; began: readonly (string | Date | null)[]; with_ordered: boolean; user_id: number; seller_account_uid: string; limit: number | string }, { listing_id: string }>(
  'selling/listings/reconcile/findUnread',
  ['listing_ids', 'began', 'with_ordered', 'user_id', 'seller_account_uid', 'limit'],
  `with given as (
  select listing_id, began from unnest($1::text[], $2::timestamptz[]) as live (listing_id, began)
  union all
  select line.listing_id, null
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where $3::boolean and line.user_id = $4 and line.state = 'unmatched' and line.listing_id <> ''
    and line.recorded_at > now() - interval '30 days'
    and ordered.seller_account_uid = $5 and ordered.source = 'platform'
)
select given.listing_id as listing_id
from given
join seller_account shop on shop.user_id = $4 and shop.uid = $5
where given.listing_id <> all(shop.read_listing_ids)
  and not exists (
    select from channel_listing known
    where known.user_id = $4 and known.seller_account_uid = $5 and known.listing_id = given.listing_id
  )
  and (given.began is null or given.began > (
    select min(first.created_at) - interval '1 day' from channel_listing first
    where first.user_id = $4 and first.seller_account_uid = $5
  ))
group by given.listing_id
order by max(given.began) desc nulls first, given.listing_id desc
limit $6`,
)

/** Forgets listings that were read and are no longer live, and ends the questions about them and about those that have got
 * an item. */
export const forgetEnded = statement<{ live: readonly (string | null)[]; user_id: number; seller_account_uid: string }, void>(
  'selling/listings/reconcile/forgetEnded',
  ['live', 'user_id', 'seller_account_uid'],
  `with shop as (
  update seller_account set read_listing_ids = array(
    select id from unnest(read_listing_ids) id
    where id = any($1::text[]) or exists (
      select from order_line line where line.user_id = $2 and line.listing_id = id and line.state = 'unmatched'
    )
  )
  where user_id = $2 and uid = $3 and not read_listing_ids <@ $1::text[]
)
update alert set state = 'resolved', finished_at = now()
where user_id = $2 and kind = 'relist_unclear' and state = 'open'
  and data ->> 'seller_account_uid' = $3 and (
    reference <> all($1::text[]) or exists (
      select from channel_listing known
      where known.user_id = $2 and known.seller_account_uid = $3
        and known.listing_id = alert.reference
    )
  )`,
)

/** Returns a row if any listing of a shop is known. */
export const holdsAnyListing = statement<{ user_id: number; seller_account_uid: string }, { is_there: boolean | null }>(
  'selling/listings/reconcile/holdsAnyListing',
  ['user_id', 'seller_account_uid'],
  `select true as is_there
from channel_listing
where user_id = $1 and seller_account_uid = $2
limit 1`,
)

/** Stores a listing that replaces an earlier one of an item, and says so in the item's history. No row if it is known. */
export const insertRelisted = statement<{ user_id: number; seller_account_uid: string; listing_id: string; platform: string; url: string; state: string; sku: string | null; price_minor: number | string; currency: string; listed_at: string | Date | null; terms: unknown; item_uid: string; reason: string }, { is_new: boolean }>(
  'selling/listings/reconcile/insertRelisted',
  ['user_id', 'seller_account_uid', 'listing_id', 'platform', 'url', 'state', 'sku', 'price_minor', 'currency', 'listed_at', 'terms', 'item_uid', 'reason'],
  `with inserted as (
  insert into channel_listing (
    user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
    observed_at, terms
  )
  select $1, $2, $3, item.uid, $4, $5, $6,
    $6 = 'available' and exists (
      select from channel_listing other
      where other.user_id = $1 and other.item_uid = item.uid and other.platform = $4
        and other.state in ('available', 'reserved')
    ),
    $7, $8, $9, $10, now(), $11::jsonb
  from inventory_item item
  where item.user_id = $1 and item.uid = $12 and item.redirect_uid is null
  on conflict do nothing
  returning item_uid
), changed as (
  update inventory_item item set version = version + 1, updated_at = now()
  from inserted
  where item.user_id = $1 and item.uid = inserted.item_uid
  returning item.uid, item.version, item.state
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference)
  select $1, uid, version, 'platform', state, state, $13, $3 from changed
)
select true as is_new from inserted`,
)

/** Returns whether the seller withdrew an item here. An item that came in with a listing that was not live was
 * withdrawn by nobody. */
export const isWithdrawnBySeller = statement<{ user_id: number; item_uid: string }, { by_seller: boolean }>(
  'selling/listings/reconcile/isWithdrawnBySeller',
  ['user_id', 'item_uid'],
  `select actor = 'user' as by_seller
from inventory_history
where user_id = $1 and item_uid = $2 and to_state = 'withdrawn'
  and from_state is distinct from to_state
order by version desc
limit 1`,
)

/** Returns the next ids of a shop's live listings, except those that changed just now: the platform may lag behind. */
export const listLiveIds = statement<{ user_id: number; seller_account_uid: string; after: string; asked_at: string | Date; limit: number | string }, { listing_id: string }>(
  'selling/listings/reconcile/listLiveIds',
  ['user_id', 'seller_account_uid', 'after', 'asked_at', 'limit'],
  `select listing_id
from channel_listing
where user_id = $1 and seller_account_uid = $2 and listing_id > $3
  and state in ('available', 'reserved') and updated_at < $4::timestamptz - interval '15 minutes'
order by listing_id
limit $5`,
)

/** Records that a marketplace reported changed listings of a shop. */
export const recordListingsChanged = statement<{ user_id: number; seller_account_uid: string }, void>(
  'selling/listings/reconcile/recordListingsChanged',
  ['user_id', 'seller_account_uid'],
  `update seller_account set listings_changed_at = now()
where user_id = $1 and uid = $2`,
)

/** Records that an unknown listing was read. */
export const recordRead = statement<{ listing_id: string; user_id: number; seller_account_uid: string }, void>(
  'selling/listings/reconcile/recordRead',
  ['listing_id', 'user_id', 'seller_account_uid'],
  `update seller_account set read_listing_ids = array_append(read_listing_ids, $1)
where user_id = $2 and uid = $3 and $1 <> all(read_listing_ids)`,
)

/** Records that a listing was checked and is still ended, so that it is checked last the next time. */
export const recordStillEnded = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'selling/listings/reconcile/recordStillEnded',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set observed_at = now()
where user_id = $1 and seller_account_uid = $2 and listing_id = $3`,
)

/** Records whether a shop is on vacation. */
export const recordVacation = statement<{ on_vacation: boolean; user_id: number; seller_account_uid: string }, void>(
  'selling/listings/reconcile/recordVacation',
  ['on_vacation', 'user_id', 'seller_account_uid'],
  `update seller_account set on_vacation = $1
where user_id = $2 and uid = $3 and on_vacation <> $1`,
)

/** Sets an ended listing to live, as an extra one beside another live listing of the item on the platform. */
export const reopenListing = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, void>(
  'selling/listings/reconcile/reopenListing',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing listing set state = 'available', observed_at = now(), updated_at = now(),
  extra = exists (
    select from channel_listing other
    where other.user_id = $1 and other.item_uid = listing.item_uid and other.platform = listing.platform
      and other.state in ('available', 'reserved') and not other.extra
  )
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = $3`,
)

/** Ends the question about a listing, with the item that the seller named. */
export const resolveUnclear = statement<{ item_uid: string | null; user_id: number; uid: string }, void>(
  'selling/listings/reconcile/resolveUnclear',
  ['item_uid', 'user_id', 'uid'],
  `update alert set state = 'resolved', finished_at = now(), data = data || jsonb_build_object('answer', $1::text)
where user_id = $2 and uid = $3 and state = 'open'`,
)
