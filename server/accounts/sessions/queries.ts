// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Scope } from '#shared/contract/declaring/route.ts'
import type { Session } from '#shared/contract/account/sessions.ts'

/** Finds the holder of each request's bearer token, like `findBearers`, and counts the request for its user.
 * `user_ordinal` numbers the user's requests of the current minute. Sorts, so that two servers lock rows in the same
 * order. `hashes`: the SHA-256 of each token; `idle`, `absolute`: the lifetimes of a session in seconds, since its last
 * use and its start. */
export const authenticateBearers = statement<{ hashes: readonly (Buffer | null)[]; absolute: number; idle: number }, { place: number; hash: Buffer; user_id: number; username: string; email: string | null; proof_age: number | null; user_ordinal: number | null; user_seconds: number | null }>(
  'accounts/sessions/authenticateBearers',
  ['hashes', 'absolute', 'idle'],
  `with request as materialized (
  select place, token.token_hash as hash, token.user_id, app_user.username, app_user.email,
    extract(epoch from now() - token.verified_at)::float8 as proof_age
  from unnest($1::bytea[]) with ordinality as given (hash, place)
  join bearer_token token on token.token_hash = given.hash
  join app_user on app_user.id = token.user_id
  where app_user.state = 'active' and token.created_at > now() - $2 * interval '1 second'
    and coalesce(token.last_used_at, token.created_at) > now() - $3 * interval '1 second'
), user_count as materialized (
  select asked.user_id, asked.requests, counted.count, counted.ends_at
  from (select user_id, count(*) as requests from request group by user_id order by user_id) asked
  cross join lateral count_requests('u:' || asked.user_id, asked.requests) counted
)
select request.place as place, request.hash, request.user_id, request.username, request.email, request.proof_age,
  (user_count.count - user_count.requests + row_number() over (partition by user_id order by place))::integer as user_ordinal,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from request
join user_count using (user_id)`,
)

/** Finds the holder of each request's API key, like `findKeys`, and counts the request for the key. Counts it for the
 * user too, unless it exceeds the limit of the key (`key_limit`); `user_ordinal` is then null. The ordinals number the requests
 * of the current minute. `hashes`: the SHA-256 of each key. Sorts, so that two servers lock rows in the same order. */
export const authenticateKeys = statement<{ hashes: readonly (Buffer | null)[]; key_limit: number }, { place: number; hash: Buffer; user_id: number; key_id: string; key_name: string; scopes: Scope[]; username: string; email: string | null; key_ordinal: number; key_seconds: number; user_ordinal: number | null; user_seconds: number | null }>(
  'accounts/sessions/authenticateKeys',
  ['hashes', 'key_limit'],
  `with request as materialized (
  select place, key.key_hash as hash, key.user_id, key.id as key_id, key.name as key_name, key.scopes,
    app_user.username, app_user.email
  from unnest($1::bytea[]) with ordinality as given (hash, place)
  join api_key key on key.key_hash = given.hash
  join app_user on app_user.id = key.user_id
  where app_user.state = 'active' and (key.expires_at is null or key.expires_at > now())
), key_count as materialized (
  select asked.key_id, asked.requests, counted.count, counted.ends_at
  from (select key_id, count(*) as requests from request group by key_id order by key_id) asked
  cross join lateral count_requests('k:' || asked.key_id, asked.requests) counted
), by_key as materialized (
  select request.*,
    (key_count.count - key_count.requests + row_number() over (partition by key_id order by place))::integer as key_ordinal,
    extract(epoch from key_count.ends_at - clock_timestamp())::float8 as key_seconds
  from request
  join key_count using (key_id)
), user_count as materialized (
  select asked.user_id, asked.requests, counted.count, counted.ends_at
  from (
    select user_id, count(*) as requests from by_key where key_ordinal <= $2 group by user_id order by user_id
  ) asked
  cross join lateral count_requests('u:' || asked.user_id, asked.requests) counted
)
select by_key.place as place, by_key.hash, by_key.user_id, by_key.key_id, by_key.key_name, by_key.scopes, by_key.username,
  by_key.email, by_key.key_ordinal as key_ordinal, by_key.key_seconds as key_seconds,
  case when key_ordinal <= $2 then
    user_count.count - user_count.requests
      + row_number() over (partition by user_id, key_ordinal <= $2 order by place)
  end::integer as user_ordinal,
  extract(epoch from user_count.ends_at - clock_timestamp())::float8 as user_seconds
from by_key
left join user_count using (user_id)`,
)

/** Deletes all sessions of a user but one, the authorizations that they began, and the notifications of browsers that
 * have no session any more. Returns the number of sessions. */
export const deleteOtherSessions = statement<{ user_id: number; token_hash: Buffer }, { ended: number }>(
  'accounts/sessions/deleteOtherSessions',
  ['user_id', 'token_hash'],
  `with ended as (
  delete from bearer_token where user_id = $1 and token_hash <> $2 returning uid
), tickets as (
  delete from connect_ticket where user_id = $1
), subscriptions as (
  delete from web_push_subscription where user_id = $1 and token_hash is null
), states as (
  delete from oauth_state where user_id = $1
)
select count(*)::integer as ended from ended`,
)

/** Deletes a session of its own user. */
export const deleteSession = statement<{ user_id: number; uid: string }, { uid: string }>(
  'accounts/sessions/deleteSession',
  ['user_id', 'uid'],
  `delete from bearer_token where user_id = $1 and uid = $2 returning uid`,
)

/** Deletes a token of its own user. */
export const deleteToken = statement<{ user_id: number; token_hash: Buffer }, void>(
  'accounts/sessions/deleteToken',
  ['user_id', 'token_hash'],
  `delete from bearer_token where user_id = $1 and token_hash = $2`,
)

/** Ends all sessions and notifications of an account, by its e-mail address or user name. No row if there is no such account. */
export const endByAccount = statement<{ account: string }, { ended: number }>(
  'accounts/sessions/endByAccount',
  ['account'],
  `with holder as (
  select id from app_user where email = lower($1) or username = $1 order by email = lower($1) desc limit 1
), tickets as (
  delete from connect_ticket using holder where user_id = holder.id
), states as (
  delete from oauth_state using holder where user_id = holder.id
), subscriptions as (
  delete from web_push_subscription using holder where user_id = holder.id and token_hash is null
), ended as (
  delete from bearer_token using holder where user_id = holder.id returning uid
)
select (select count(*)::integer from ended) as ended from holder`,
)

/** Ends the work in progress of a closed account, whose shops are disconnected. Running workers lose their leases. Returns
 * the listings that were queued to end and are still live, so that the seller can end them. */
export const endWork = statement<{ user_id: number }, { platform: PlatformSlug; address: string }>(
  'accounts/sessions/endWork',
  ['user_id'],
  `with operations as (
  update listing_operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = $1 and state = 'open'
  returning kind, platform, coalesce(listing_url, listing_id) as address, accepted_at
), bulk_rows as (
  update bulk_item set status = 'cancelled' where user_id = $1 and status = 'pending'
), bulk_jobs as (
  update bulk_job set status = 'cancelled', completed_at = now()
  where user_id = $1 and status in ('pending', 'in_progress')
), pushes as (
  update order_fetch_request set handled_at = now(), unknown = true where user_id = $1 and handled_at is null
), checks as (
  update order_line set check_listing_at = null where user_id = $1 and check_listing_at is not null
), tasks as (
  update extension_task set status = 'dismissed', finished_at = now() where user_id = $1 and status = 'open'
  returning kind, platform, url as address
), alerts as (
  update alert set state = 'dismissed', finished_at = now() where user_id = $1 and state = 'open'
)
select platform as platform, address as address from operations where kind = 'delist' and accepted_at is null
union
select platform, address from tasks where kind = 'delist'
order by platform, address`,
)

/** Finds the holders of bearer tokens by the SHA-256 of each token: live sessions of active accounts. `idle` and
 * `absolute` are the lifetimes of a session since its last use and its start, in seconds. */
export const findBearers = statement<{ hashes: readonly (Buffer | null)[]; absolute: number; idle: number }, { hash: Buffer; user_id: number; username: string; email: string | null; proof_age: number | null }>(
  'accounts/sessions/findBearers',
  ['hashes', 'absolute', 'idle'],
  `select token.token_hash as hash, token.user_id, app_user.username, app_user.email,
  extract(epoch from now() - token.verified_at)::float8 as proof_age
from bearer_token token
join app_user on app_user.id = token.user_id
where token.token_hash = any($1::bytea[]) and app_user.state = 'active'
  and token.created_at > now() - $2 * interval '1 second'
  and coalesce(token.last_used_at, token.created_at) > now() - $3 * interval '1 second'`,
)

/** Finds the holders of API keys by the SHA-256 of each key: unexpired keys of active accounts. */
export const findKeys = statement<{ hashes: readonly (Buffer | null)[] }, { hash: Buffer; user_id: number; key_id: string; key_name: string; scopes: Scope[]; username: string; email: string | null }>(
  'accounts/sessions/findKeys',
  ['hashes'],
  `select key.key_hash as hash, key.user_id, key.id as key_id, key.name as key_name, key.scopes, app_user.username, app_user.email
from api_key key
join app_user on app_user.id = key.user_id
where key.key_hash = any($1::bytea[]) and app_user.state = 'active'
  and (key.expires_at is null or key.expires_at > now())`,
)

/** Records a device of an account, once a day at most. `is_new`: the account has signed in before, but never from this
 * device. */
export const insertDevice = statement<{ user_id: number; device: Buffer }, { email: string | null; is_new: boolean }>(
  'accounts/sessions/insertDevice',
  ['user_id', 'device'],
  `with noted as (
  insert into known_device as known (user_id, device)
  values ($1, $2)
  on conflict (user_id, device) do update set seen_at = excluded.seen_at
  where excluded.seen_at - known.seen_at > interval '1 day'
  returning xmax = 0 as is_inserted
)
select email,
  coalesce((select is_inserted from noted), false)
    and exists (select 1 from known_device where user_id = $1 and device <> $2) as is_new
from app_user
where id = $1`,
)

/** Inserts a bearer token for an active account. The lock makes the account's end see the token, or the token its end.
 * `verified_at`: when its holder last proved their identity; null for now. */
export const insertToken = statement<{ token_hash: Buffer; method: string; address: string; user_agent: string; verified_at: string | Date | null; user_id: number }, { user_id: number }>(
  'accounts/sessions/insertToken',
  ['token_hash', 'method', 'address', 'user_agent', 'verified_at', 'user_id'],
  `insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, verified_at)
select id, $1, $2, $3, $4, now(), coalesce($5::timestamptz, now()) from (
  select id from app_user left join seller_settings shard on shard.user_id = $6
  where id = $6 and state = 'active'
  for share of app_user
) holder
returning user_id`,
)

/** Returns a user's live sessions, last used first, up to a thousand. */
export const listSessions = statement<{ token_hash: Buffer; user_id: number; absolute: number; idle: number }, { uid: string; method: Session['method']; network: string | null; user_agent: string | null; created_at: string; last_used_at: string | null; is_current: boolean }>(
  'accounts/sessions/listSessions',
  ['token_hash', 'user_id', 'absolute', 'idle'],
  `select uid, method, address as network, user_agent, created_at, last_used_at,
  token_hash = $1 as is_current
from bearer_token
where user_id = $2
  and created_at > now() - $3 * interval '1 second'
  and coalesce(last_used_at, created_at) > now() - $4 * interval '1 second'
order by coalesce(last_used_at, created_at) desc, uid
limit 1000`,
)

/** Removes everything that was set up in an account: keys, links, webhook addresses with their deliveries, passkeys,
 * sessions, notifications and, if `second_factor` says so, the authenticator app. Returns what there was. */
export const removeSetUp = statement<{ user_id: number; second_factor: boolean }, { keys: number; links: number; webhooks: number; tokens: number; passkeys: number; apps: number }>(
  'accounts/sessions/removeSetUp',
  ['user_id', 'second_factor'],
  `with keys as (
  delete from api_key where user_id = $1 returning 1
), links as (
  delete from social_link where user_id = $1 returning 1
), webhooks as (
  delete from webhook_endpoint where user_id = $1 returning 1
), tickets as (
  delete from connect_ticket where user_id = $1 returning 1
), states as (
  delete from oauth_state where user_id = $1 returning 1
), steps as (
  delete from signin_step where user_id = $1 returning 1
), passkeys as (
  delete from passkey where user_id = $1 returning 1
), passkey_challenges as (
  delete from passkey_challenge where user_id = $1 returning 1
), totp as (
  delete from totp_secret where user_id = $1 and $2 returning confirmed_at
), codes as (
  delete from recovery_code where user_id = $1 and $2 returning 1
), subscriptions as (
  delete from web_push_subscription where user_id = $1 and token_hash is null
), tokens as (
  delete from bearer_token where user_id = $1 returning 1
)
select (select count(*)::integer from keys) as keys, (select count(*)::integer from links) as links,
  (select count(*)::integer from webhooks) as webhooks, (select count(*)::integer from tokens) as tokens,
  (select count(*)::integer from passkeys) as passkeys,
  (select count(*)::integer from totp where confirmed_at is not null) as apps`,
)
