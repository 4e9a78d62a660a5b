// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Counts requests in the current minute of each subject. Sorts, so that two servers lock rows in the same order. */
export const countRequests = statement<{ subjects: readonly (string | null)[]; requests: readonly (number | null)[] }, { subject: string; count: number; seconds: number }>(
  'http/limits/countRequests',
  ['subjects', 'requests'],
  `select counted.subject as subject, counted.count as count,
  extract(epoch from counted.ends_at - clock_timestamp())::float8 as seconds
from (
  select subject, requests from unnest($1::text[], $2::integer[]) as asked (subject, requests) order by 1
) asked
cross join lateral count_requests(asked.subject, asked.requests) counted`,
)
