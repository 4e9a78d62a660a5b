-- Inserts updates of the live listings of items, and of those that are being published. Open updates of a listing are
-- cancelled, and the new one takes over what they were to send. One in progress ends first, so that it does not arrive
-- last. `prices`: of platforms with another price than the order's. Listings in another currency keep their price.
-- `item_uids` are those of the orders, so that PostgreSQL knows how few they are.
with asked as materialized (
  select *
  from json_to_recordset(${orders}::json) as row (
    item_uid text, platforms text[], fields text[], content jsonb, price_minor bigint, currency text, prices jsonb
  )
), outdated as (
  update listing_operation operation set
    cancel_requested_at = now(),
    state = case when lease_until > now() then state else 'cancelled' end,
    finished_at = case when lease_until > now() then null else now() end,
    lease_epoch = case when lease_until > now() then lease_epoch else lease_epoch + 1 end
  from asked
  where operation.user_id = ${user_id} and operation.item_uid = any(${item_uids}::text[])
    and operation.item_uid = asked.item_uid and operation.kind in ('update', 'reprice') and operation.state = 'open'
    and (asked.platforms is null or operation.platform = any(asked.platforms))
  returning operation.item_uid, operation.seller_account_uid, operation.listing_id, operation.fields, operation.content,
    operation.price_minor, operation.currency, operation.created_at
), standing as (
  select item_uid, platform, seller_account_uid, listing_id, url, currency
  from channel_listing
  where user_id = ${user_id} and item_uid = any(${item_uids}::text[]) and state in ('available', 'reserved')
  union all
  -- The listing is unknown until it is published. It is looked up then.
  select item_uid, platform, seller_account_uid, null, null, currency
  from listing_operation
  where user_id = ${user_id} and item_uid = any(${item_uids}::text[]) and kind = 'list' and state = 'open'
    and accepted_at is null and cancel_requested_at is null
), wanted as (
  select listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id, listing.url,
    listing.currency, asked.content,
    coalesce(
      case when asked.currency = listing.currency and asked.price_minor > 0
        then coalesce((asked.prices ->> listing.platform)::bigint, asked.price_minor)
      end,
      (
        select outdated.price_minor from outdated
        where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
          and outdated.currency = listing.currency and coalesce(outdated.listing_id = listing.listing_id, true)
        order by outdated.price_minor is null, outdated.created_at desc
        limit 1
      )
    ) as price_minor,
    array(
      select unnest(asked.fields)
      union
      select unnest(outdated.fields) from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and coalesce(outdated.listing_id = listing.listing_id, true)
    ) as fields,
    (
      select outdated.content - asked.fields from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and outdated.content is not null and coalesce(outdated.listing_id = listing.listing_id, true)
      order by outdated.created_at desc
      limit 1
    ) as kept_content
  from asked
  join standing listing on listing.item_uid = asked.item_uid
    and (asked.platforms is null or listing.platform = any(asked.platforms))
  where listing.platform = any(${api_platforms})
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
  listing.fields, nullif(coalesce(listing.kept_content, '{}') || coalesce(listing.content, '{}'), '{}'),
  listing.price_minor, listing.currency, 'user', ${traceparent}
from wanted listing
where listing.price_minor is not null or cardinality(listing.fields) > 0
returning id, platform
