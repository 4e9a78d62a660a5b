-- Deletes locked items that nothing happened to since an import created them: no act in their history, no order, no other
-- listing, no operation. Their import items count as skipped. Returns the deleted ones.
with gone as (
  delete from inventory_item item
  using import_item made
  where item.user_id = ${user_id} and item.uid = any(${uids}::text[]) and item.redirect_uid is null
    and made.user_id = item.user_id and made.job_uid = ${job_uid} and made.created_inventory_item_uid = item.uid
    and not exists (
      select from inventory_history act
      where act.user_id = item.user_id and act.item_uid = item.uid and act.version > 1
    )
    and not exists (
      select from channel_listing listing
      where listing.user_id = item.user_id and listing.item_uid = item.uid and listing.listing_id <> made.external_listing_id
    )
    and not exists (select from order_line line where line.user_id = item.user_id and line.item_uid = item.uid)
    and not exists (
      select from listing_operation operation where operation.user_id = item.user_id and operation.item_uid = item.uid
    )
  returning item.uid, item.sku, made.uid as import_item_uid
), settled as (
  update import_item made set
    status = 'skipped', created_inventory_item_uid = null,
    conflict_details = case when resolution is null then 'The import was undone.' else conflict_details end
  from gone
  where made.user_id = ${user_id} and made.job_uid = ${job_uid} and made.uid = gone.import_item_uid
)
select uid, sku from gone
