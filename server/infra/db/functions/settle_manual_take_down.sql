-- Settles the alert about a sold item that is still live. It ends when the task to take the listing down ends, and when nobody
-- has the item any more. If the seller says that the listing is ended, the alert stays until a reading shows that; it becomes
-- new again if the listing is seen on offer, and ends if it is sold. An alert of an operation ends with the operation:
-- Hapax reads the listing back. On Citus, `tg_table_name` is that of a shard, so the argument says what changed; and no clock may
-- stand in a CASE or COALESCE.
create or replace function settle_manual_take_down() returns trigger language plpgsql as $$
declare
  moment constant timestamptz := now();
begin
  if tg_argv[0] = 'task' then
    if new.status = 'completed' and not coalesce(new.report, '{}') ? 'seen_down' then
      update alert set data = data || jsonb_build_object('ended_said_at', now()), notified_at = coalesce(notified_at, moment)
      where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
        and reference = new.listing_id and state = 'open';
    else
      update alert set state = 'resolved', finished_at = now()
      where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
        and reference = new.listing_id and state = 'open' and not data ? 'operation_id';
    end if;
  elsif tg_argv[0] = 'listing' then
    update alert set
      data = data - 'ended_said_at',
      notified_at = null,
      notify_at = now() + interval '5 minutes',
      state = case when new.state = 'sold' then 'resolved' else 'open' end,
      finished_at = case when new.state = 'sold' then moment end
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
      and reference = new.listing_id and platform = new.platform and state = 'open' and data ? 'ended_said_at';
  else
    update alert set state = 'resolved', finished_at = now()
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.uid
      and state = 'open' and (not data ? 'operation_id' or data ? 'ended_said_at');
  end if;
  return null;
end
$$;

create or replace trigger settle_manual_take_down after update of status on extension_task for each row
  when (old.status = 'open' and new.status <> 'open' and new.kind = 'delist')
  execute function settle_manual_take_down('task');
create or replace trigger settle_manual_take_down after update of state on inventory_item for each row
  when (old.state in ('sold', 'reserved') and new.state not in ('sold', 'reserved'))
  execute function settle_manual_take_down('item');
create or replace trigger settle_manual_take_down after update of state on channel_listing for each row
  when (old.state not in ('available', 'reserved') and new.state in ('available', 'reserved', 'sold') and old.state <> new.state)
  execute function settle_manual_take_down('listing');
