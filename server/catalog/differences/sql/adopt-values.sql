-- Gives locked items values of listings, or gives them back, as the next version of each, with its history.
with row as (
  select *
  from json_to_recordset(${rows}::json) as row (
    item_uid text, title text, description text, images text[], price_minor bigint, currency text, reason text, changes jsonb
  )
), changed as (
  update inventory_item item set
    title = coalesce(row.title, item.title), description = coalesce(row.description, item.description),
    images = coalesce(row.images, item.images), price_minor = coalesce(row.price_minor, item.price_minor),
    currency = coalesce(row.currency, item.currency), version = item.version + 1, updated_at = now()
  from row
  where item.user_id = ${user_id} and item.uid = row.item_uid
  returning item.user_id, item.uid, item.version, item.state, row.reason, row.changes
)
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
select user_id, uid, version, 'user', state, state, reason, ${change_uid}, changes
from changed
