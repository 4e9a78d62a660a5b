// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Claims items whose photos are to be copied, one of each of some accounts, so that no account waits for another: of the
 * accounts in `slow`, or of all others. Counts the attempt at once, because it may end the process. An abandoned claim
 * ends after 15 minutes. */
export const claimCopies = statement<{ busy: readonly (number | null)[]; slow: readonly (number | null)[]; is_slow: boolean; accounts: number | string }, { user_id: number; item_uid: string; attempts: number; sources: string[]; copies: (string | null)[]; images: string[] }>(
  'catalog/images/claimCopies',
  ['busy', 'slow', 'is_slow', 'accounts'],
  `update image_copy copy set due_at = now() + interval '15 minutes', attempts = copy.attempts + 1
from (
  select next.user_id, next.item_uid
  from (
    select distinct on (user_id) user_id, item_uid from image_copy where due_at <= now() order by user_id, due_at
  ) next
  join app_user on app_user.id = next.user_id and app_user.state = 'active'
  where app_user.id <> all($1::integer[]) and (app_user.id = any($2::integer[])) = $3
  order by random()
  limit $4
) claimed
join inventory_item item on item.user_id = claimed.user_id and item.uid = claimed.item_uid
where copy.user_id = claimed.user_id and copy.item_uid = claimed.item_uid and copy.due_at <= now()
returning copy.user_id, copy.item_uid, copy.attempts, copy.sources, copy.copies, item.images`,
)

/** Returns a stored image of an account. */
export const findImage = statement<{ user_id: number; uid: string }, { uid: string; type: string; width: number; height: number; bytes: number; created_at: string; stored_at: string | null; original_hash: Buffer; rotation: number }>(
  'catalog/images/findImage',
  ['user_id', 'uid'],
  `select uid, type, width, height, bytes, created_at, stored_at, original_hash, rotation from image
where user_id = $1 and uid = $2 and stored_at is not null`,
)

/** Returns the image of an original as it was turned; null if the account has none. */
export const findOriginal = statement<{ user_id: number; original_hash: Buffer; rotation: number }, { uid: string; type: string; width: number; height: number; bytes: number; created_at: string; stored_at: string | null }>(
  'catalog/images/findOriginal',
  ['user_id', 'original_hash', 'rotation'],
  `select uid, type, width, height, bytes, created_at, stored_at from image
where user_id = $1 and original_hash = $2 and rotation = $3`,
)

/** Returns which of these images an account has. */
export const findOwnImages = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string }>(
  'catalog/images/findOwnImages',
  ['user_id', 'uids'],
  `select uid from image where user_id = $1 and uid = any($2::text[]) and stored_at is not null`,
)

/** Returns a stored image by its uid alone, for anybody who knows it. Closed accounts show no images. */
export const findServed = statement<{ uid: string }, { uid: string }>(
  'catalog/images/findServed',
  ['uid'],
  `select image.uid from image
join app_user on app_user.id = image.user_id
where image.uid = $1 and image.stored_at is not null and app_user.state = 'active'`,
)

/** Forgets images whose files are removed. */
export const forgetRemoved = statement<{ uids: readonly (string | null)[] }, void>(
  'catalog/images/forgetRemoved',
  ['uids'],
  `delete from removed_image where uid = any($1)`,
)

/** Inserts an image whose files are to be written. Does nothing if the account has the same original, turned the same way. */
export const insertImage = statement<{ user_id: number; uid: string; original_hash: Buffer; rotation: number; type: string; width: number; height: number; bytes: number | string }, void>(
  'catalog/images/insertImage',
  ['user_id', 'uid', 'original_hash', 'rotation', 'type', 'width', 'height', 'bytes'],
  `insert into image (user_id, uid, original_hash, rotation, type, width, height, bytes)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (user_id, original_hash, rotation) do nothing`,
)

/** Returns images whose files are to be removed, oldest first. */
export const listRemoved = statement<object, { uid: string }>(
  'catalog/images/listRemoved',
  [],
  `select uid from removed_image order by removed_at limit 100`,
)

/** Returns the accounts with images that were not seen in use for a day. */
export const listUsersWithImages = statement<object, { user_id: number }>(
  'catalog/images/listUsersWithImages',
  [],
  `select distinct user_id from image where used_at < now() - interval '1 day'`,
)

/** Marks an image whose files are all written. No row if it was removed meanwhile. */
export const markStored = statement<{ user_id: number; uid: string }, { uid: string }>(
  'catalog/images/markStored',
  ['user_id', 'uid'],
  `update image set stored_at = least(stored_at, now())
where user_id = $1 and uid = $2
returning uid`,
)

/** Marks the images of an account that an item uses. */
export const markUsed = statement<{ user_id: number }, void>(
  'catalog/images/markUsed',
  ['user_id'],
  `update image set used_at = now()
where user_id = $1 and used_at < now() - interval '1 day' and uid in (
  select substring(address from '/images/(img_[0-9A-Za-z]{22})/')
  from inventory_item item, unnest(item.images || item.evidence_urls) address
  where item.user_id = $1
)`,
)

/** Makes all waiting items of an account due tomorrow, because its photos are full. Returns its mail address if the seller
 * does not know yet. */
export const pauseCopies = statement<{ user_id: number; failure: string }, { email: string | null }>(
  'catalog/images/pauseCopies',
  ['user_id', 'failure'],
  `with known as (
  select from image_copy where user_id = $1 and due_at is not null and failure = $2 limit 1
), paused as (
  update image_copy set due_at = now() + interval '1 day', failure = $2, attempts = 0
  where user_id = $1 and due_at is not null
)
select email from app_user where id = $1 and email_verified and not exists (select from known)`,
)

/** Makes an item due again after some seconds. */
export const postponeCopy = statement<{ seconds: number; failure: string | null; attempts: number; user_id: number; item_uid: string }, void>(
  'catalog/images/postponeCopy',
  ['seconds', 'failure', 'attempts', 'user_id', 'item_uid'],
  `update image_copy set
  due_at = now() + $1 * interval '1 second', failure = $2, attempts = $3
where user_id = $4 and item_uid = $5`,
)

/** Records what is copied of an item's photos so far, so that a later attempt continues there. */
export const recordCopy = statement<{ sources: readonly (string | null)[]; copies: readonly (string | null)[]; user_id: number; item_uid: string }, void>(
  'catalog/images/recordCopy',
  ['sources', 'copies', 'user_id', 'item_uid'],
  `update image_copy set sources = $1, copies = $2
where user_id = $3 and item_uid = $4`,
)

/** Removes images that no item used for a week, and those whose upload broke off. */
export const removeExpired = statement<object, void>(
  'catalog/images/removeExpired',
  [],
  `delete from image where (user_id, uid) in (
  select user_id, uid from image
  where used_at < now() - interval '7 days' or (stored_at is null and created_at < now() - interval '1 hour')
  limit 1000
)`,
)

/** Removes those of the given images of an account that no item uses any more. */
export const removeUnused = statement<{ user_id: number; uids: readonly (string | null)[] }, { uid: string }>(
  'catalog/images/removeUnused',
  ['user_id', 'uids'],
  `delete from image
where user_id = $1 and uid = any($2) and not exists (
  select from inventory_item item
  where item.user_id = $1
    and strpos(array_to_string(item.images || item.evidence_urls, ' '), '/images/' || image.uid || '/') > 0
)
returning uid`,
)

/** Puts the addresses of copies into an item, as its next version. No row if its images changed meanwhile. The hashes of
 * the photos go with them, because an import that runs right now compares by address. */
export const replaceImages = statement<{ sources: readonly (string | null)[]; copies: readonly (string | null)[]; user_id: number; item_uid: string }, { version: number }>(
  'catalog/images/replaceImages',
  ['sources', 'copies', 'user_id', 'item_uid'],
  `with hashed as (
  insert into photo_hash (user_id, url_hash, hash)
  select known.user_id, sha256(convert_to(photo.copy, 'UTF8')), known.hash
  from unnest($1::text[], $2::text[]) as photo (source, copy)
  join photo_hash known on known.user_id = $3 and known.url_hash = sha256(convert_to(photo.source, 'UTF8'))
  where photo.copy <> photo.source and known.hash is not null
  on conflict (user_id, url_hash) do nothing
)
update inventory_item set images = $2::text[], version = version + 1, updated_at = now()
where user_id = $3 and uid = $4 and images = $1::text[]
returning version`,
)

/** Records that nothing is left to copy of an item, and why photos stay where they are. */
export const settleCopy = statement<{ sources: readonly (string | null)[]; copies: readonly (string | null)[]; failure: string | null; user_id: number; item_uid: string }, void>(
  'catalog/images/settleCopy',
  ['sources', 'copies', 'failure', 'user_id', 'item_uid'],
  `update image_copy set sources = $1, copies = $2, due_at = null, failure = $3
where user_id = $4 and item_uid = $5`,
)

/** Returns the bytes of an account's images. */
export const sumBytes = statement<{ user_id: number }, { bytes: number }>(
  'catalog/images/sumBytes',
  ['user_id'],
  `select coalesce(sum(bytes), 0)::float8 as bytes from image where user_id = $1`,
)

/** Keeps an image that is uploaded again for another week. */
export const touchImage = statement<{ user_id: number; uid: string }, void>(
  'catalog/images/touchImage',
  ['user_id', 'uid'],
  `update image set used_at = now() where user_id = $1 and uid = $2`,
)
