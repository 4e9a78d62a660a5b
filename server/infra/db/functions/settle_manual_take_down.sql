-- Ends the alert about a sold item that only the seller can take down, when the task that asks for it ends. An alert of an
-- operation ends with the operation: Hapax reads the listing back.
create or replace function settle_manual_take_down() returns trigger language plpgsql as $$
begin
  update alert set state = 'resolved', finished_at = now()
  where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
    and reference = new.listing_id and state = 'open' and not data ? 'operation_id';
  return null;
end
$$;

create or replace trigger settle_manual_take_down after update of status on extension_task for each row
  when (old.status = 'open' and new.status <> 'open' and new.kind = 'delist')
  execute function settle_manual_take_down();
