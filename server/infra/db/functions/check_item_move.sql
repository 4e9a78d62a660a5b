-- Allows an item only the moves of its life cycle, each exactly one version further. A sold item moves only once its sale has
-- ended, and only after `permitSoldMove`, which permits one move.
create or replace function check_item_move() returns trigger language plpgsql as $$
begin
  if new.version <> old.version + 1 then
    raise exception 'a move of an item is one version' using errcode = 'check_violation';
  end if;
  if old.state = 'sold' and current_setting('hapax.order_cancelled', true) = 'on' and not exists (
    select from sale where user_id = new.user_id and item_uid = new.uid and not cancelled
  ) then
    perform set_config('hapax.order_cancelled', 'off', true);
    return new;
  end if;
  if (old.state, new.state) in (
    ('available', 'reserved'), ('reserved', 'available'), ('available', 'withdrawn'), ('withdrawn', 'available'),
    ('available', 'sold'), ('reserved', 'sold')
  ) then
    return new;
  end if;
  raise exception 'an item cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end
$$;

create or replace trigger inventory_item_move before update of state on inventory_item
  for each row when (old.state is distinct from new.state) execute function check_item_move();
