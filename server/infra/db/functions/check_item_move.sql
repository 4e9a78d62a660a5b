-- Allows an item only the state changes of its life cycle, each with a new version. A sold item changes only where its order was
-- cancelled: that transaction sets hapax.order_cancelled.
create or replace function check_item_move() returns trigger language plpgsql as $$
begin
  if new.version <= old.version then
    raise exception 'a move of an item needs a new version' using errcode = 'check_violation';
  end if;
  if (old.state, new.state) in (
    ('available', 'reserved'), ('reserved', 'available'), ('available', 'withdrawn'), ('withdrawn', 'available'),
    ('available', 'sold'), ('reserved', 'sold')
  ) or (old.state = 'sold' and current_setting('hapax.order_cancelled', true) = 'on') then
    return new;
  end if;
  raise exception 'an item cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end
$$;

create or replace trigger inventory_item_move before update of state on inventory_item
  for each row when (old.state is distinct from new.state) execute function check_item_move();
