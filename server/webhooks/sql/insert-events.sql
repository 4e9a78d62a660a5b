-- Numbers and stores events, and creates one delivery for every endpoint of the user that wants them. An event about an
-- item gets the item as it is now, so that receivers can mirror the stock without asking. Endpoints are not locked, so
-- events and deletions of an endpoint do not wait for each other. Deliveries of an endpoint just being deleted are never
-- sent, and removed later.
with counter as (
  insert into event_counter (user_id, last_seq) values (${user_id}, ${count})
  on conflict (user_id) do update set last_seq = event_counter.last_seq + ${count}
  returning last_seq - ${count} as base
),
made as (
  insert into event (user_id, seq, uid, type, item_uid, traceparent, data)
  select ${user_id}, counter.base + given.place, given.value ->> 'uid', given.value ->> 'type', given.value ->> 'item_uid',
    ${traceparent}, coalesce(
      (
        select jsonb_build_object(
          'sku', item.sku,
          'item', jsonb_build_object(
            'version', item.version, 'title', item.title, 'state', item.state, 'price_minor', item.price_minor,
            'currency', item.currency, 'listings', coalesce(
              (
                select jsonb_agg(
                  jsonb_build_object(
                    'platform', listing.platform, 'listing_id', listing.listing_id, 'url', listing.url,
                    'state', listing.state, 'price_minor', listing.price_minor, 'currency', listing.currency,
                    'listed_at', to_char(
                      coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) at time zone 'UTC',
                      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
                    )
                  )
                  order by listing.created_at, listing.platform, listing.listing_id
                )
                from channel_listing listing
                where listing.user_id = ${user_id} and listing.item_uid = item.uid
              ),
              '[]'
            )
          )
        )
        from inventory_item item
        where item.user_id = ${user_id} and item.uid = given.value ->> 'item_uid' and item.redirect_uid is null
      ),
      '{}'
    ) || (given.value -> 'data')
  from counter, jsonb_array_elements(${events}::jsonb) with ordinality as given (value, place)
  returning seq, type, item_uid
)
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid)
select endpoint.user_id, endpoint.uid, made.seq, made.type, made.item_uid
from made
join webhook_endpoint endpoint on endpoint.user_id = ${user_id} and endpoint.enabled
  and (endpoint.event_types is null or made.type = any(endpoint.event_types))
order by made.seq
