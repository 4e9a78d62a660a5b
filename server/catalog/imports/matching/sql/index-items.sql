-- Indexes the words of a user's next items from a uid on. Leaves out items that are live on this platform, were sold
-- there (find-candidates.sql) or are indexed already. Returns the last uid (null: all done) and whether there is anything
-- to compare with. Includes later items of other platforms with a smaller uid, from workers whose clocks lag.
with next as materialized (
  select item.uid, item.version, item.search
  from inventory_item item
  where item.user_id = ${user_id} and item.uid > ${after} and item.redirect_uid is null
    -- Looked up per item. Without fresh statistics the planner expects one row, and an anti-join would compare each item with
    -- each listing.
    and (
      select true from match_item known where known.user_id = item.user_id and known.item_uid = item.uid limit 1
    ) is null
    and (
      select true from channel_listing listing
      where listing.user_id = item.user_id and listing.item_uid = item.uid and listing.platform = ${platform}
        and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
      limit 1
    ) is null
  order by item.uid
  limit ${limit}
), late as materialized (
  select distinct on (item.uid) item.uid, item.version, item.search
  from channel_listing elsewhere
  join inventory_item item on item.user_id = elsewhere.user_id and item.uid = elsewhere.item_uid
  where elsewhere.user_id = ${user_id} and elsewhere.platform = any(${other_platforms})
    and elsewhere.item_uid > ${since} and elsewhere.item_uid <= ${after}
    and (
      select true from match_item known where known.user_id = item.user_id and known.item_uid = item.uid limit 1
    ) is null
    and (
      select true from channel_listing listing
      where listing.user_id = item.user_id and listing.item_uid = item.uid and listing.platform = ${platform}
        and (listing.state in ('available', 'reserved') or (listing.state = 'sold' and item.state = 'sold'))
      limit 1
    ) is null
), fresh as materialized (
  select item.uid, item.version, item.search
  from (select uid from next union select uid from late) found
  join inventory_item item on item.user_id = ${user_id} and item.uid = found.uid
  -- Waits for an item that is being deleted and leaves it out: its foreign key would fail.
  for key share of item
), known as (
  insert into match_item (user_id, item_uid, version)
  select ${user_id}, uid, version from fresh
  on conflict do nothing
), words as (
  insert into match_word (user_id, word, item_uid)
  select ${user_id}, word, fresh.uid
  from fresh
  cross join lateral unnest(tsvector_to_array(fresh.search)) as word
  on conflict do nothing
)
select
  case when (select count(*) from next) = ${limit} then (select max(uid) from next) end as reached,
  (select max(uid) from inventory_item where user_id = ${user_id}) as newest,
  (exists (select from fresh) or exists (select from match_item where user_id = ${user_id})) as comparable
