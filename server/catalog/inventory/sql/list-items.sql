-- Returns a page of a user's items, newest first, each with its listings. The page is cut by key before anything is
-- joined, so that a deep page costs no more. A null filter matches everything. Merged items are returned only by uid.
with fitting as not materialized (
  select *
  from inventory_item item
  where item.user_id = ${user_id}
    and (${before}::text is null or item.uid < ${before})
    and (${uid}::text is null and item.redirect_uid is null or item.uid = ${uid})
    and (${uids}::text[] is null or item.uid = any(${uids}::text[]))
    and (${state}::text is null or item.state = ${state})
    and (${sku}::text is null or item.sku = ${sku})
    and (${updated_since}::timestamptz is null or item.updated_at >= ${updated_since}::timestamptz)
    and (${q}::text is null or item.search_words @@ search_query(${q}))
),
-- One of the two conditions: an `or` would check the listings of each item.
page as materialized (
  (select * from fitting where ${platform}::text is null order by uid desc limit ${limit})
  union all
  (
    select * from fitting
    where exists (
      select from channel_listing listing
      where listing.user_id = ${user_id} and listing.item_uid = fitting.uid and listing.platform = ${platform}
    )
    order by uid desc
    limit ${limit}
  )
),
-- The page ends before the response gets too large, but has at least one item.
weighed as (
  select page.*, row_number() over (order by page.uid desc) as place, count(*) over () as found,
    sum(octet_length(json_build_array(
      page.title, page.description, page.images, page.evidence_urls, page.attributes, page.condition_notes
    )::text)) over (order by page.uid desc) as bytes_so_far
  from page
),
fits as (select * from weighed where place = 1 or bytes_so_far <= ${max_bytes})
select page.uid, page.sku, page.product_id, page.offer_id, page.title, page.description, page.attributes, page.images,
  page.condition_label, page.condition_notes, page.inspected_at, page.evidence_urls, page.price_minor, page.currency,
  page.state, page.observed_at, page.seller_url, page.shipping_policy_url, page.returns_policy_url, page.aliases,
  page.redirect_uid, page.version, page.created_at, page.updated_at, page.found, coalesce(listings.rows, '[]') as listings
from fits page
left join lateral (
  select json_agg(
    json_build_object(
      'platform', listing.platform, 'listing_id', listing.listing_id, 'url', listing.url,
      'seller_account_uid', listing.seller_account_uid, 'state', listing.state, 'price_minor', listing.price_minor,
      'currency', listing.currency, 'update', last_update.entry,
      'listed_at', to_char(
        coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      )
    )
    order by listing.created_at, listing.platform, listing.listing_id
  ) as rows
  from channel_listing listing
  -- The last update of a live listing, where one item is read. A finished one is of no interest.
  left join lateral (
    select json_build_object(
      'state', case operation.state when 'open' then 'pending' else operation.state end,
      'fields', case when operation.price_minor is null then '{}'::text[] else '{price}' end || operation.fields,
      'error_code', operation.error_code, 'error_message', operation.error_message,
      'at', to_char(coalesce(operation.finished_at, operation.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as entry
    from (
      select *
      from listing_operation
      where user_id = ${user_id} and item_uid = ${uid} and kind in ('update', 'reprice')
        and seller_account_uid = listing.seller_account_uid and coalesce(listing_id = listing.listing_id, true)
        and state <> 'cancelled' and listing.state in ('available', 'reserved')
      order by created_at desc
      limit 1
    ) operation
    where operation.state in ('open', 'failed')
  ) last_update on true
  where listing.user_id = ${user_id} and listing.item_uid = page.uid
) listings on true
order by page.uid desc
