-- Returns for each listing the few items that share its rarest words and may be the same. Leaves out items that have a
-- live listing on this platform or were sold there. Words of hundreds of items say nothing and are not followed, so
-- that the cost does not grow with the inventory.
with given as materialized (
  select row.listing_id, word
  from json_to_recordset(${rows}::json) as row (listing_id text, text text)
  cross join lateral unnest(tsvector_to_array(to_tsvector('simple', row.text))) as word
), counted as materialized (
  select word, (
    select count(*)
    from (
      select from match_word known where known.user_id = ${user_id} and known.word = asked.word limit ${most} + 1
    ) having_it
  ) as items
  from (select distinct word from given) asked
), hits as (
  select given.listing_id, known.item_uid, sum(1.0 / counted.items) as weight, count(*) as shared
  from counted
  join given on given.word = counted.word
  join match_word known on known.user_id = ${user_id} and known.word = counted.word
  where counted.items between 1 and ${most}
  group by given.listing_id, known.item_uid
), best as (
  select listing_id, item_uid, row_number() over (partition by listing_id order by weight desc, item_uid) as place
  from hits
  where shared >= 2
)
select best.listing_id, item.uid, item.title, item.state, item.attributes, item.price_minor, item.currency, item.images
from best
join inventory_item item on item.user_id = ${user_id} and item.uid = best.item_uid
where best.place <= ${few} and item.redirect_uid is null
  and not exists (
    select from channel_listing listing
    where listing.user_id = ${user_id} and listing.item_uid = item.uid and listing.platform = ${platform}
      and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
  )
order by best.listing_id, best.place
