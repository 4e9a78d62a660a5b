// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Adds bytes to those that an account has sent today and returns their sum. */
export const addWritten = statement<{ user_id: number; day: string; bytes: number | string }, { bytes: number }>(
  'http/quotas/addWritten',
  ['user_id', 'day', 'bytes'],
  `insert into written_bytes as known (user_id, day, bytes)
values ($1, $2, $3)
on conflict (user_id, day) do update set bytes = known.bytes + excluded.bytes
returning bytes`,
)

/** Returns the number of imports that an account began within a day. */
export const countImports = statement<{ user_id: number; since: string | Date }, { imports: number }>(
  'http/quotas/countImports',
  ['user_id', 'since'],
  `select count(*) as imports from import_job where user_id = $1 and created_at > $2`,
)

/** Returns the number and bytes of an account's items, and the bytes of listings read for imports in the last 30 days.
 * After that, the large parts of such listings are removed. */
export const readHeld = statement<{ user_id: number }, { items: number; item_bytes: number; found_bytes: number }>(
  'http/quotas/readHeld',
  ['user_id'],
  `select
  (select count(*) from inventory_item where user_id = $1) as items,
  (
    select coalesce(sum(
      pg_column_size(description) + pg_column_size(attributes) + pg_column_size(images) + pg_column_size(condition_notes)
    ), 0)
    from inventory_item
    where user_id = $1
  ) as item_bytes,
  (
    select coalesce(sum(found_bytes), 0)
    from import_job
    where user_id = $1 and created_at > now() - interval '30 days'
  )::bigint as found_bytes`,
)
