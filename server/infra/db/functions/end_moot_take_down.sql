-- Ends the task to take a listing down by hand when the listing is seen down. A listing with an operation is read back, and
-- the operation ends its task.
create or replace function end_moot_take_down() returns trigger language plpgsql as $$
begin
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = new.user_id and platform = new.platform and kind = 'delist' and listing_id = new.listing_id
    and item_uid = new.item_uid and status = 'open'
    and not exists (
      select from listing_operation operation
      where operation.user_id = new.user_id and operation.seller_account_uid = new.seller_account_uid
        and operation.listing_id = new.listing_id and operation.kind = 'delist' and operation.state = 'open'
    );
  return null;
end
$$;

create or replace trigger end_moot_take_down after update of state on channel_listing for each row
  when (old.state in ('available', 'reserved') and new.state not in ('available', 'reserved'))
  execute function end_moot_take_down();
