-- Ends the alert about a sold item that only the seller can take down: when the task that asks for it ends, and when nobody
-- has the item any more. An alert of an operation ends with the operation: Hapax reads the listing back.
create or replace function settle_manual_take_down() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'extension_task' then
    update alert set state = 'resolved', finished_at = now()
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
      and reference = new.listing_id and state = 'open' and not data ? 'operation_id';
  else
    update alert set state = 'resolved', finished_at = now()
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.uid
      and state = 'open' and not data ? 'operation_id';
  end if;
  return null;
end
$$;

create or replace trigger settle_manual_take_down after update of status on extension_task for each row
  when (old.status = 'open' and new.status <> 'open' and new.kind = 'delist')
  execute function settle_manual_take_down();
create or replace trigger settle_manual_take_down after update of state on inventory_item for each row
  when (old.state in ('sold', 'reserved') and new.state not in ('sold', 'reserved'))
  execute function settle_manual_take_down();
