-- Inserts updates of the live listings of an item, and of one that is being published. Open updates of a listing are
-- cancelled, and the new one takes over what they were to send. One in progress ends first, so that it does not arrive
-- last. `prices`: of platforms with another price than the given one. Listings in another currency keep their price.
with outdated as (
  update listing_operation set
    cancel_requested_at = now(),
    state = case when lease_until > now() then state else 'cancelled' end,
    finished_at = case when lease_until > now() then null else now() end,
    lease_epoch = case when lease_until > now() then lease_epoch else lease_epoch + 1 end
  where user_id = ${user_id} and item_uid = ${item_uid} and kind in ('update', 'reprice') and state = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
  returning seller_account_uid, listing_id, fields, content, price_minor, currency, created_at
), price as (
  select ${price_minor}::bigint as minor, ${currency}::text as currency
), standing as (
  select item_uid, platform, seller_account_uid, listing_id, url, currency
  from channel_listing
  where user_id = ${user_id} and item_uid = ${item_uid} and state in ('available', 'reserved')
  union all
  -- The listing is unknown until it is published. It is looked up then.
  select item_uid, platform, seller_account_uid, null, null, currency
  from listing_operation
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'list' and state = 'open' and accepted_at is null
    and cancel_requested_at is null
), wanted as (
  select listing.*,
    coalesce(
      (
        select coalesce((${prices}::jsonb ->> listing.platform)::bigint, price.minor)
        from price
        where price.currency = listing.currency and price.minor > 0
      ),
      (
        select outdated.price_minor from outdated
        where outdated.seller_account_uid = listing.seller_account_uid and outdated.currency = listing.currency
          and coalesce(outdated.listing_id = listing.listing_id, true)
        order by outdated.price_minor is null, outdated.created_at desc
        limit 1
      )
    ) as price_minor,
    array(
      select unnest(${fields}::text[])
      union
      select unnest(outdated.fields) from outdated
      where outdated.seller_account_uid = listing.seller_account_uid
        and coalesce(outdated.listing_id = listing.listing_id, true)
    ) as fields,
    (
      select outdated.content - ${fields}::text[] from outdated
      where outdated.seller_account_uid = listing.seller_account_uid and outdated.content is not null
        and coalesce(outdated.listing_id = listing.listing_id, true)
      order by outdated.created_at desc
      limit 1
    ) as kept_content
  from standing listing
  where listing.platform = any(${api_platforms})
    and (${platforms}::text[] is null or listing.platform = any(${platforms}::text[]))
)
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, fields, content,
  price_minor, currency, cause, traceparent
)
select ${user_id}, 'update', listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id,
  listing.url,
  (
    select operation.external_key from listing_operation operation
    where operation.user_id = ${user_id} and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ),
  listing.fields, nullif(coalesce(listing.kept_content, '{}') || coalesce(${content}::jsonb, '{}'), '{}'),
  listing.price_minor, listing.currency, 'user', ${traceparent}
from wanted listing
where listing.price_minor is not null or cardinality(listing.fields) > 0
returning id, platform
