// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Deletes a key that eBay no longer knows. */
export const deletePushKey = statement<{ kid: string }, void>(
  'integrations/ebay/push/deletePushKey',
  ['kid'],
  `delete from ebay_push_key where kid = $1`,
)

/** Returns the newest keys with their age in milliseconds. */
export const readPushKeys = statement<object, { kid: string; public_key: string; digest: 'sha1' | 'sha256'; age_ms: number }>(
  'integrations/ebay/push/readPushKeys',
  [],
  `select kid, public_key, digest, (extract(epoch from now() - checked_at) * 1000)::float8 as age_ms
from ebay_push_key
order by checked_at desc
limit 100`,
)

/** Stores a key that was just fetched. */
export const storePushKey = statement<{ kid: string; public_key: string; digest: string }, void>(
  'integrations/ebay/push/storePushKey',
  ['kid', 'public_key', 'digest'],
  `insert into ebay_push_key (kid, public_key, digest)
values ($1, $2, $3)
on conflict (kid) do update set public_key = excluded.public_key, digest = excluded.digest, checked_at = now()`,
)
