-- name: claimCopies
-- type copies: (string | null)[]
-- Claims items whose photos are to be copied, one of each of some accounts, so that no account waits for another: of the
-- accounts in `slow`, or of all others. Counts the attempt at once, because it may end the process. An abandoned claim
-- ends after 15 minutes.
update image_copy copy set due_at = now() + interval '15 minutes', attempts = copy.attempts + 1
from (
  select next.user_id, next.item_uid
  from (
    select distinct on (user_id) user_id, item_uid from image_copy where due_at <= now() order by user_id, due_at
  ) next
  join app_user on app_user.id = next.user_id and app_user.state = 'active'
  where app_user.id <> all(:busy::integer[]) and (app_user.id = any(:slow::integer[])) = :is_slow
  order by random()
  limit :accounts
) claimed
join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
where copy.user_id = claimed.user_id and copy.item_uid = claimed.item_uid and copy.due_at <= now()
returning copy.user_id, copy.item_uid, copy.attempts, copy.sources, copy.copies, item.images

-- name: findImage
-- Returns a stored image of an account.
select uid, type, width, height, bytes, created_at, stored_at, original_hash, rotation from image
where user_id = :user_id and uid = :uid and stored_at is not null

-- name: findOriginal
-- Returns the image of an original as it was turned; null if the account has none.
select uid, type, width, height, bytes, created_at, stored_at from image
where user_id = :user_id and original_hash = :original_hash and rotation = :rotation

-- name: findOwnImages
-- Returns which of these images an account has.
select uid from image where user_id = :user_id and uid = any(:uids::text[]) and stored_at is not null

-- name: findServed
-- Returns a stored image by its uid alone, for anybody who knows it. Closed accounts show no images.
select image.uid from image
join app_user on app_user.id = image.user_id
where image.uid = :uid and image.stored_at is not null and app_user.state = 'active'

-- name: forgetRemoved
-- Forgets images whose files are removed.
delete from removed_image where uid = any(:uids)

-- name: insertImage
-- Inserts an image whose files are to be written. Does nothing if the account has the same original, turned the same way.
insert into image (user_id, uid, original_hash, rotation, type, width, height, bytes)
values (:user_id, :uid, :original_hash, :rotation, :type, :width, :height, :bytes)
on conflict (user_id, original_hash, rotation) do nothing

-- name: listRemoved
-- Returns images whose files are to be removed, oldest first.
select uid from removed_image order by removed_at limit 100

-- name: listUsersWithImages
-- Returns the accounts with images that were not seen in use for a day.
select distinct user_id from image where used_at < now() - interval '1 day'

-- name: markStored
-- Marks an image whose files are all written. No row if it was removed meanwhile.
update image set stored_at = least(stored_at, now())
where user_id = :user_id and uid = :uid
returning uid

-- name: markUsed
-- Marks the images of an account that an item uses.
update image set used_at = now()
where user_id = :user_id and used_at < now() - interval '1 day' and uid in (
  select substring(address from '/images/(img_[0-9A-Za-z]{22})/')
  from inventory_item item, unnest(item.images || item.evidence_urls) address
  where item.user_id = :user_id
)

-- name: pauseCopies
-- Makes all waiting items of an account due tomorrow, because its photos are full. Returns its mail address if the seller
-- does not know yet.
with known as (
  select from image_copy where user_id = :user_id and due_at is not null and failure = :failure limit 1
), paused as (
  update image_copy set due_at = now() + interval '1 day', failure = :failure, attempts = 0
  where user_id = :user_id and due_at is not null
)
select email from app_user where id = :user_id and email_verified and not exists (select from known)

-- name: postponeCopy
-- Makes an item due again after some seconds.
update image_copy set
  due_at = now() + :seconds * interval '1 second', failure = :failure?, attempts = :attempts
where user_id = :user_id and item_uid = :item_uid

-- name: recordCopy
-- Records what is copied of an item's photos so far, so that a later attempt continues there.
update image_copy set sources = :sources, copies = :copies
where user_id = :user_id and item_uid = :item_uid

-- name: removeExpired
-- Removes images that no item used for a week, and those whose upload broke off.
delete from image where (user_id, uid) in (
  select user_id, uid from image
  where used_at < now() - interval '7 days' or (stored_at is null and created_at < now() - interval '1 hour')
  limit 1000
)

-- name: removeUnused
-- Removes those of the given images of an account that no item uses any more.
delete from image
where user_id = :user_id and uid = any(:uids) and not exists (
  select from inventory_item item
  where item.user_id = :user_id
    and strpos(array_to_string(item.images || item.evidence_urls, ' '), '/images/' || image.uid || '/') > 0
)
returning uid

-- name: replaceImages
-- Puts the addresses of copies into an item, as its next version. No row if its images changed meanwhile. The hashes of
-- the photos go with them, because an import that runs right now compares by address.
with hashed as (
  insert into photo_hash (user_id, url_hash, hash)
  select known.user_id, sha256(convert_to(photo.copy, 'UTF8')), known.hash
  from unnest(:sources::text[], :copies::text[]) as photo (source, copy)
  join photo_hash known on known.user_id = :user_id and known.url_hash = sha256(convert_to(photo.source, 'UTF8'))
  where photo.copy <> photo.source and known.hash is not null
  on conflict (user_id, url_hash) do nothing
)
update inventory_item set images = :copies::text[], version = version + 1, updated_at = now()
where user_id = :user_id and uid = :item_uid and images = :sources::text[]
returning version

-- name: settleCopy
-- Records that nothing is left to copy of an item, and why photos stay where they are.
update image_copy set sources = :sources, copies = :copies, due_at = null, failure = :failure?
where user_id = :user_id and item_uid = :item_uid

-- name: sumBytes
-- Returns the bytes of an account's images.
select coalesce(sum(bytes), 0)::float8 as "bytes!" from image where user_id = :user_id

-- name: touchImage
-- Keeps an image that is uploaded again for another week.
update image set used_at = now() where user_id = :user_id and uid = :uid
