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
      else jsonb_build_object('price_minor', item.price_minor, 'currency', item.currency)
    end as mine,
    item.images
  from listing_difference difference
  join channel_listing listing on listing.user_id = difference.user_id
    and listing.seller_account_uid = difference.seller_account_uid and listing.listing_id = difference.listing_id
  join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
  where difference.user_id = ${user_id} and difference.state = ${state} and listing.state in ('available', 'reserved')
    and (${marketplace}::text is null or listing.platform = ${marketplace})
    and (${item_uid}::text is null or listing.item_uid = ${item_uid})
    and not exists (
      select from listing_operation operation
      where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.kind = 'update'
        and operation.state = 'open' and operation.seller_account_uid = listing.seller_account_uid
        and operation.listing_id = listing.listing_id
        and case difference.field
          when 'price' then operation.price_minor is not null
          when 'photos' then 'images' = any(operation.fields)
          else difference.field = any(operation.fields)
        end
    )
), unlike as materialized (
  select uid from difference where mine <> theirs
)
select (select count(*)::integer from unlike) as count, coalesce((
  select jsonb_agg(to_jsonb(page) order by page.noticed_at desc, page.uid desc)
  from (
    select uid, field, state, noticed_at, platform, url, item_uid, left(title, 1000) as title, image, item_state,
      price_minor, currency,
      case when field in ('title', 'description') then left(mine #>> '{}', 20000) end as mine_text,
      case when field in ('title', 'description') then left(theirs #>> '{}', 20000) end as theirs_text,
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
    from difference
    where mine <> theirs
    order by noticed_at desc, uid desc
    limit ${limit} offset ${offset}
  ) page
), '[]') as rows
