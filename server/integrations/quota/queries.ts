// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Blocks calls to a platform for all processes, for one shop unless `shop` is empty. If `seconds` is null, each block
 * lasts longer than the one before. */
export const blockCalls = statement<{ platform: string; app: string; shop: string; seconds: number | null }, { block_platform_calls: unknown }>(
  'integrations/quota/blockCalls',
  ['platform', 'app', 'shop', 'seconds'],
  `select block_platform_calls($1, $2, $3, make_interval(secs => $4::double precision))`,
)

/** Records the limits of a platform's answer; null for missing ones. */
export const recordLimits = statement<{ platform: string; app: string; per_second: number | null; per_day: number | null; left: number | null; shop: string }, { record_platform_limits: unknown }>(
  'integrations/quota/recordLimits',
  ['platform', 'app', 'per_second', 'per_day', 'left', 'shop'],
  `select record_platform_limits($1, $2, $3, $4, $5, $6)`,
)

/** Takes calls of several requests from a platform's budget; one row per request (functions/take_platform_calls.sql). A request
 * whose call name is blocked, for all shops or for its own, gets nothing and costs nothing. */
export const takeCalls = statement<{ requests: unknown; platform: string; app: string; limits: unknown }, { place: number; granted: number; wait_ms: number }>(
  'integrations/quota/takeCalls',
  ['requests', 'platform', 'app', 'limits'],
  `with request as materialized (
  select given.*, greatest(refused.blocked_until, refused_shop.blocked_until) as blocked_until
  from jsonb_to_recordset($1::jsonb) as given (
    place integer, shop text, priority text, kept jsonb, share double precision, calls integer, call_app text
  )
  left join platform_quota refused on refused.platform = $2 and refused.app = given.call_app
    and refused.blocked_until > clock_timestamp()
  left join platform_quota_shop refused_shop on refused_shop.platform = $2 and refused_shop.app = given.call_app
    and refused_shop.shop = given.shop and refused_shop.blocked_until > clock_timestamp()
)
select place as place, granted as granted, wait_ms as wait_ms
from take_platform_calls(
  $2, $3, $4::jsonb,
  (select coalesce(jsonb_agg(to_jsonb(request)), '[]') from request where blocked_until is null)
)
union all
select place, 0, least(ceil(extract(epoch from blocked_until - clock_timestamp()) * 1000), 86400000)::integer
from request
where blocked_until is not null`,
)
