-- Queues an item for copying when it gets photos that are no images of its account. The picture of a draft without a photo
-- is none.
create or replace function queue_image_copy() returns trigger language plpgsql as $$
begin
  if new.redirect_uid is not null or (tg_op = 'UPDATE' and new.images = old.images) then
    return null;
  end if;
  if exists (
    select from unnest(new.images) address
    where address not like '%/assets/no-photo.svg' and not exists (
      select from image
      where user_id = new.user_id and uid = substring(address from '/images/(img_[0-9A-Za-z]{22})/')
    )
  ) then
    insert into image_copy (user_id, item_uid) values (new.user_id, new.uid)
    on conflict (user_id, item_uid) do update set due_at = excluded.due_at, attempts = 0, failure = null;
  end if;
  return null;
end
$$;

create or replace trigger queue_image_copy after insert or update of images on inventory_item
  for each row execute function queue_image_copy();
