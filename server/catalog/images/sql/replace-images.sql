-- Puts the addresses of copies into an item, as its next version. No row if its images changed meanwhile. The hashes of
-- the photos go with them, because an import that runs right now compares by address.
with hashed as (
  insert into photo_hash (user_id, url_hash, hash)
  select known.user_id, sha256(convert_to(photo.copy, 'UTF8')), known.hash
  from unnest(${sources}::text[], ${copies}::text[]) as photo (source, copy)
  join photo_hash known on known.user_id = ${user_id} and known.url_hash = sha256(convert_to(photo.source, 'UTF8'))
  where photo.copy <> photo.source and known.hash is not null
  on conflict (user_id, url_hash) do nothing
)
update inventory_item set images = ${copies}::text[], version = version + 1, updated_at = now()
where user_id = ${user_id} and uid = ${item_uid} and images = ${sources}::text[]
returning version
