-- Settles what waits for a listing to come down, whichever reading saw it. A listing that is down ends the task to take it
-- down by hand, and the alert with that; one with an operation is read back, and the operation ends both. A listing that is on
-- offer although the seller said that it ended makes its alert new again; one that is sold ends it.
create or replace function settle_take_down() returns trigger language plpgsql as $$
declare
  -- On Citus no clock may stand in a CASE.
  moment constant timestamptz := now();
begin
  if old.state in ('available', 'reserved') then
    if new.state in ('available', 'reserved') then
      return null;
    end if;
    update extension_task set status = 'dismissed', finished_at = now()
    where user_id = new.user_id and platform = new.platform and kind = 'delist' and listing_id = new.listing_id
      and item_uid = new.item_uid and status = 'open'
      and not exists (
        select from listing_operation operation
        where operation.user_id = new.user_id and operation.seller_account_uid = new.seller_account_uid
          and operation.listing_id = new.listing_id and operation.kind = 'delist' and operation.state = 'open'
      );
    if found then
      update alert set state = 'resolved', finished_at = now()
      where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
        and reference = new.listing_id and state = 'open' and not data ? 'operation_id';
    end if;
  elsif new.state in ('available', 'reserved', 'sold') then
    update alert set
      data = data - 'ended_said_at',
      notified_at = null,
      notify_at = now() + interval '5 minutes',
      state = case when new.state = 'sold' then 'resolved' else 'open' end,
      finished_at = case when new.state = 'sold' then moment end
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
      and reference = new.listing_id and platform = new.platform and state = 'open' and data ? 'ended_said_at';
  end if;
  return null;
end
$$;

create or replace trigger settle_take_down after update of state on channel_listing for each row
  when (old.state <> new.state) execute function settle_take_down();
