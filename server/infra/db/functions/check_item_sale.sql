-- Refuses to move an item that has a live sale, and any move that is not exactly one version further.
create or replace function check_item_sale() returns trigger language plpgsql as $$
begin
  if new.version <> old.version + 1 then
    raise exception 'a move of an item is one version' using errcode = 'check_violation';
  end if;
  if old.state = 'sold' and exists (
    select from sale where user_id = new.user_id and item_uid = new.uid and not cancelled
  ) then
    raise exception 'an item that is sold cannot become %', new.state using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create or replace trigger inventory_item_sale before update of state on inventory_item
  for each row when (old.state is distinct from new.state) execute function check_item_sale();
