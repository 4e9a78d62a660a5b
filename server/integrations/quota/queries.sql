-- name: blockCalls
-- Blocks calls to a platform for all processes, for one shop unless `shop` is empty. If `seconds` is null, each block
-- lasts longer than the one before.
select block_platform_calls(:platform, :app, :shop, make_interval(secs => :seconds?::double precision))

-- name: recordLimits
-- Records the limits of a platform's answer; null for missing ones.
select record_platform_limits(:platform, :app, :per_second?, :per_day?, :left?, :shop)

-- name: takeCalls
-- Takes calls of several requests from a platform's budget; one row per request (functions/take_platform_calls.sql). A request
-- whose call name is blocked, for all shops or for its own, gets nothing and costs nothing.
with request as materialized (
  select given.*, greatest(refused.blocked_until, refused_shop.blocked_until) as blocked_until
  from jsonb_to_recordset(:requests::jsonb) as given (
    place integer, shop text, priority text, kept jsonb, share double precision, calls integer, call_app text
  )
  left join platform_quota refused on refused.platform = :platform and refused.app = given.call_app
    and refused.blocked_until > clock_timestamp()
  left join platform_quota_shop refused_shop on refused_shop.platform = :platform and refused_shop.app = given.call_app
    and refused_shop.shop = given.shop and refused_shop.blocked_until > clock_timestamp()
)
select place as "place!", granted as "granted!", wait_ms as "wait_ms!"
from take_platform_calls(
  :platform, :app, :limits::jsonb,
  (select coalesce(jsonb_agg(to_jsonb(request)), '[]') from request where blocked_until is null)
)
union all
select place, 0, least(ceil(extract(epoch from blocked_until - clock_timestamp()) * 1000), 86400000)::integer
from request
where blocked_until is not null
