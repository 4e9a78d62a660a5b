-- Remembers the files of a deleted image, in the transaction that deletes it.
create or replace function remember_removed_image() returns trigger language plpgsql as $$
begin
  insert into removed_image (user_id, uid) values (old.user_id, old.uid) on conflict do nothing;
  return null;
end
$$;

create or replace trigger remember_removed after delete on image for each row execute function remember_removed_image();
