// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Claims connections that were unused for a day, or that have waited for their seller for an hour while their tokens
 * may still be valid. Concurrent workers claim different ones. */
export const claimDueChecks = statement<{ limit: number | string }, { user_id: number; seller_account_uid: string; platform: OAuthSlug }>(
  'integrations/connections/claimDueChecks',
  ['limit'],
  `update seller_account account set last_checked_at = now()
from (
  select user_id, uid from seller_account
  where status <> 'revoked' and encrypted_refresh_token is not null
    and (
      last_checked_at is null
      or last_checked_at < now() - interval '1 day'
      or status = 'reconnect_required' and last_checked_at < now() - interval '1 hour'
    )
  order by last_checked_at nulls first
  limit $1
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform`,
)

/** Claims eBay shops whose sale notices were not checked for some hours. Concurrent workers claim different ones. */
export const claimDueNotices = statement<{ hours: number; limit: number | string }, { user_id: number; seller_account_uid: string }>(
  'integrations/connections/claimDueNotices',
  ['hours', 'limit'],
  `update seller_account account set notices_checked_at = now()
from (
  select user_id, uid from seller_account
  where platform = 'ebay' and status = 'connected'
    and (notices_checked_at is null or notices_checked_at < now() - $1 * interval '1 hour')
  order by notices_checked_at nulls first
  limit $2
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid`,
)

/** Counts the shops of all accounts on a platform that have not ended their connection. */
export const countAppShops = statement<{ platform: string }, { shops: number }>(
  'integrations/connections/countAppShops',
  ['platform'],
  `select count(*)::integer as shops from seller_account
where platform = $1 and status <> 'revoked' and encrypted_refresh_token is not null`,
)

/** Counts an account's shops on a platform, connected or not, and returns whether this one is among them. */
export const countShops = statement<{ external_id: string; user_id: number; platform: string }, { count: number; is_known: boolean }>(
  'integrations/connections/countShops',
  ['external_id', 'user_id', 'platform'],
  `select count(*)::integer as count, coalesce(bool_or(external_id = $1), false) as is_known
from seller_account
where user_id = $2 and platform = $3`,
)

/** Ends every connection of an account and deletes its tickets and authorizations, which could restore one. */
export const destroyConnections = statement<{ user_id: number }, { user_id: number; seller_account_uid: string; platform: PlatformSlug; external_name: string }>(
  'integrations/connections/destroyConnections',
  ['user_id'],
  `with tickets as (
  delete from connect_ticket where user_id = $1
), states as (
  delete from oauth_state where user_id = $1
)
update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = $1 and status <> 'revoked'
returning user_id, uid as seller_account_uid, platform, external_name`,
)

/** Returns a shop's tokens to its own active owner. is_stale means that the access token should be renewed before use. */
export const findAccess = statement<{ user_id: number; seller_account_uid: string }, { seller_account_uid: string; user_id: number; platform: OAuthSlug; external_id: string; external_name: string; url: string; status: 'connected' | 'reconnect_required' | 'revoked'; token_epoch: number; encrypted_access_token: Buffer | null; encrypted_refresh_token: Buffer | null; is_stale: boolean; is_expired: boolean }>(
  'integrations/connections/findAccess',
  ['user_id', 'seller_account_uid'],
  `select account.uid as seller_account_uid, account.user_id, account.platform, account.external_id, account.external_name,
  account.url, account.status, account.token_epoch, account.encrypted_access_token, account.encrypted_refresh_token,
  coalesce(account.access_expires_at <= now() + interval '5 minutes', true) as is_stale,
  coalesce(account.access_expires_at <= now(), true) as is_expired
from seller_account account
join app_user on app_user.id = account.user_id
where account.user_id = $1 and account.uid = $2 and app_user.state = 'active'`,
)

/** Returns the shop that a used state of this browser connected, while its account and that connection last. A state does
 * not name its shop: it is the first one that was connected after the state was used, within two minutes. */
export const findFinished = statement<{ state_hash: Buffer; platform: string; browser_hash: Buffer }, { external_name: string; account_name: string }>(
  'integrations/connections/findFinished',
  ['state_hash', 'platform', 'browser_hash'],
  `select shop.external_name, coalesce(app_user.email, app_user.username) as account_name
from oauth_state state
join app_user on app_user.id = state.user_id
join seller_account shop on shop.user_id = state.user_id and shop.platform = state.platform
where state.state_hash = $1 and state.platform = $2 and state.browser_hash = $3
  and state.expires_at > now() and app_user.state = 'active' and shop.status = 'connected'
  and shop.connected_at between state.used_at and state.used_at + interval '2 minutes'
order by shop.connected_at
limit 1`,
)

/** Returns the user's shop on a platform that was connected last, preferring connected shops. */
export const findLastScrapedShop = statement<{ user_id: number; platform: string }, { uid: string }>(
  'integrations/connections/findLastScrapedShop',
  ['user_id', 'platform'],
  `select uid from seller_account
where user_id = $1 and platform = $2
order by status <> 'revoked' desc, connected_at desc
limit 1`,
)

/** Returns the shop of an active account by its user name, creating it if necessary. Other accounts may have the same. */
export const findOrCreateScrapedShop = statement<{ uid: string; platform: string; external_id: string; external_name: string; url: string; user_id: number }, { uid: string; is_new: boolean }>(
  'integrations/connections/findOrCreateScrapedShop',
  ['uid', 'platform', 'external_id', 'external_name', 'url', 'user_id'],
  `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
select id, $1, $2, $3, $4, $5, 'connected'
from app_user left join seller_settings shard on shard.user_id = $6
where id = $6 and state = 'active'
for no key update of app_user
on conflict (user_id, platform, external_id) do update set
  external_name = excluded.external_name,
  url = excluded.url,
  connected_at = case when seller_account.status = 'connected' then seller_account.connected_at else excluded.connected_at end,
  status = 'connected'
returning uid, xmax = 0 as is_new`,
)

/** Locks an account's row of a shop in any status. */
export const findOwnShop = statement<{ user_id: number; platform: string; external_id: string }, { uid: string; status: 'connected' | 'reconnect_required' | 'revoked' }>(
  'integrations/connections/findOwnShop',
  ['user_id', 'platform', 'external_id'],
  `select uid, status
from seller_account account left join seller_settings shard on shard.user_id = $1
where account.user_id = $1 and platform = $2 and external_id = $3
for update of account`,
)

/** Locks a shop of its own account and returns its tokens. */
export const findSellerAccount = statement<{ user_id: number; seller_account_uid: string }, { user_id: number; seller_account_uid: string; platform: PlatformSlug; status: 'connected' | 'reconnect_required' | 'revoked'; encrypted_access_token: Buffer | null; encrypted_refresh_token: Buffer | null }>(
  'integrations/connections/findSellerAccount',
  ['user_id', 'seller_account_uid'],
  `select account.user_id, uid as seller_account_uid, platform, status, encrypted_access_token, encrypted_refresh_token
from seller_account account left join seller_settings shard on shard.user_id = $1
where account.user_id = $1 and uid = $2
for update of account`,
)

/** Returns whether this browser can use a state at this platform's callback (`useState`). */
export const findState = statement<{ state_hash: Buffer; platform: string; browser_hash: Buffer }, { is_open: boolean | null }>(
  'integrations/connections/findState',
  ['state_hash', 'platform', 'browser_hash'],
  `select true as is_open
from oauth_state state
join app_user on app_user.id = state.user_id
where state.state_hash = $1 and state.platform = $2 and state.browser_hash = $3
  and state.used_at is null and state.expires_at > now() and app_user.state = 'active'`,
)

/** Inserts an authorization's state for ten minutes and deletes the account's old ones. The caller has locked the
 * account. */
export const insertState = statement<{ user_id: number; state_hash: Buffer; platform: string; browser_hash: Buffer; encrypted_code_verifier: Buffer | null }, void>(
  'integrations/connections/insertState',
  ['user_id', 'state_hash', 'platform', 'browser_hash', 'encrypted_code_verifier'],
  `with swept as (
  delete from oauth_state where user_id = $1 and expires_at < now() - interval '1 hour'
)
insert into oauth_state (user_id, state_hash, platform, browser_hash, encrypted_code_verifier, expires_at)
values ($1, $2, $3, $4, $5, now() + interval '10 minutes')`,
)

/** Inserts a ticket and deletes the account's old ones. The caller has locked the account. */
export const insertTicket = statement<{ user_id: number; ticket_hash: Buffer; platform: string; seconds: number }, { expires_at: string }>(
  'integrations/connections/insertTicket',
  ['user_id', 'ticket_hash', 'platform', 'seconds'],
  `with swept as (
  delete from connect_ticket where user_id = $1 and expires_at < now() - interval '1 hour'
)
insert into connect_ticket (user_id, ticket_hash, platform, expires_at)
values ($1, $2, $3, now() + $4 * interval '1 second')
returning expires_at`,
)

/** Lists all shops of an account, also disconnected ones, newest first. A shop's health comes from its last calls:
 * ending listings, reading orders, importing. */
export const listSellerAccounts = statement<{ user_id: number }, { uid: string; platform: PlatformSlug; external_id: string; external_name: string; status: 'connected' | 'reconnect_required' | 'revoked'; connected_at: string; last_synced_at: string | null; sale_notices: 'subscribed' | 'consent_needed' | null; is_on_vacation: boolean; health: SellerAccount['health'] }>(
  'integrations/connections/listSellerAccounts',
  ['user_id'],
  `select shop.uid, shop.platform, shop.external_id, shop.external_name, shop.status, shop.connected_at, shop.last_synced_at,
  shop.sale_notices, shop.on_vacation as is_on_vacation,
  json_build_object(
    'state', case
      when shop.status = 'revoked' then 'disconnected'
      when shop.status = 'reconnect_required' then 'reconnect_required'
      when failing.reason is not null then 'failing'
      when coalesce(sync.last_success_at, shop.last_synced_at) is not null then 'working'
      else 'unknown'
    end,
    'reason', case when shop.status = 'connected' then failing.reason end,
    'message', case when shop.status = 'connected' then failing.message end,
    'since', case when shop.status = 'connected' then failing.since end,
    'last_success_at', greatest(sync.last_success_at, shop.last_synced_at),
    'next_try_at', case when shop.status = 'connected' then failing.next_try_at end
  ) as health
from seller_account shop
left join order_sync sync on sync.user_id = $1 and sync.seller_account_uid = shop.uid
left join lateral (
  select *
  from (
    (
      select 1 as place, 'take_down' as reason, error_message as message, created_at as since,
        next_attempt_at as next_try_at
      from listing_operation
      where user_id = $1 and seller_account_uid = shop.uid and kind = 'delist' and state = 'open' and failures > 0
      order by created_at
      limit 1
    )
    union all
    select 2, 'orders', sync.error_message, coalesce(sync.last_success_at, sync.created_at), sync.next_read_at
    where sync.failures > 0
    union all
    select 3, 'imports', null, touched_at, null
    from import_job
    where user_id = $1 and seller_account_uid = shop.uid and status in ('pending', 'in_progress') and failures > 0
  ) failed
  order by place
  limit 1
) failing on true
where shop.user_id = $1
order by shop.connected_at desc, shop.uid
limit 1000`,
)

/** Lists the platforms where this account has a working connection. */
export const listSellingPlatforms = statement<{ user_id: number }, { platform: PlatformSlug }>(
  'integrations/connections/listSellingPlatforms',
  ['user_id'],
  `select distinct platform from seller_account where user_id = $1 and status = 'connected'`,
)

/** Like find-access, but locks the row, so that one refresh runs at a time over all processes. */
export const lockAccess = statement<{ user_id: number; seller_account_uid: string }, { seller_account_uid: string; user_id: number; platform: OAuthSlug; external_id: string; external_name: string; url: string; status: 'connected' | 'reconnect_required' | 'revoked'; token_epoch: number; encrypted_access_token: Buffer | null; encrypted_refresh_token: Buffer | null; is_stale: boolean; is_expired: boolean }>(
  'integrations/connections/lockAccess',
  ['user_id', 'seller_account_uid'],
  `select account.uid as seller_account_uid, account.user_id, account.platform, account.external_id, account.external_name,
  account.url, account.status, account.token_epoch, account.encrypted_access_token, account.encrypted_refresh_token,
  coalesce(account.access_expires_at <= now() + interval '5 minutes', true) as is_stale,
  coalesce(account.access_expires_at <= now(), true) as is_expired
from seller_account account
join app_user on app_user.id = account.user_id
left join seller_settings shard on shard.user_id = $1
where account.user_id = $1 and account.uid = $2 and app_user.state = 'active'
for update of account`,
)

/** Locks an active account, so that decisions about its shops do not run concurrently. */
export const lockUser = statement<{ user_id: number }, { id: number }>(
  'integrations/connections/lockUser',
  ['user_id'],
  `select id from app_user left join seller_settings shard on shard.user_id = $1
where id = $1 and state = 'active'
for no key update of app_user`,
)

/** Marks a connection as connected again, if the grant that was just tried is still the current one. */
export const markConnected = statement<{ user_id: number; seller_account_uid: string; token_epoch: number }, { uid: string }>(
  'integrations/connections/markConnected',
  ['user_id', 'seller_account_uid', 'token_epoch'],
  `update seller_account set status = 'connected'
where user_id = $1 and uid = $2 and token_epoch = $3
  and status = 'reconnect_required'
returning uid`,
)

/** Marks a shop whose grant the platform rejects, if that grant is still the current one. Deletes a grant that is gone. */
export const markReconnectRequired = statement<{ grant_gone: boolean; user_id: number; seller_account_uid: string; token_epoch: number }, { uid: string }>(
  'integrations/connections/markReconnectRequired',
  ['grant_gone', 'user_id', 'seller_account_uid', 'token_epoch'],
  `update seller_account set
  status = 'reconnect_required',
  encrypted_access_token = case when $1 then null else encrypted_access_token end,
  encrypted_refresh_token = case when $1 then null else encrypted_refresh_token end,
  last_checked_at = now()
where user_id = $2 and uid = $3 and token_epoch = $4
  and (status = 'connected' or status = 'reconnect_required' and $1 and encrypted_refresh_token is not null)
returning uid`,
)

/** Records that the shop's listings or orders were just read. */
export const markSynced = statement<{ user_id: number; seller_account_uid: string }, void>(
  'integrations/connections/markSynced',
  ['user_id', 'seller_account_uid'],
  `update seller_account set last_synced_at = now(), last_seen_at = now(), last_checked_at = now()
where user_id = $1 and uid = $2 and status = 'connected'`,
)

/** Gives the account's nameless shop the name of the first shop that is read, unless the account already has that shop. */
export const nameScrapedShop = statement<{ external_id: string; external_name: string; url: string; user_id: number; platform: string; nameless_id: string }, void>(
  'integrations/connections/nameScrapedShop',
  ['external_id', 'external_name', 'url', 'user_id', 'platform', 'nameless_id'],
  `update seller_account nameless set
  external_id = $1, external_name = $2, url = $3, connected_at = now(), status = 'connected'
where nameless.user_id = $4 and nameless.platform = $5 and nameless.external_id = $6
  and not exists (
    select from seller_account named
    where named.user_id = $4 and named.platform = $5 and named.external_id = $1
  )`,
)

/** Makes the next check due in a quarter of an hour, because the platform did not answer. */
export const postponeCheck = statement<{ user_id: number; seller_account_uid: string }, void>(
  'integrations/connections/postponeCheck',
  ['user_id', 'seller_account_uid'],
  `update seller_account set last_checked_at = now() - interval '1 day' + interval '15 minutes'
where user_id = $1 and uid = $2 and status = 'connected'`,
)

/** Records the state of a shop's sale notices. A failure is retried in an hour; it keeps the old state unless eBay refused
 * the subscription. Returns the seller's address when the consent first turns out to lack the permission, or when eBay
 * first refuses what was subscribed, so that one mail tells of it. */
export const recordNotices = statement<{ user_id: number; seller_account_uid: string; outcome: string | null }, { told_email: string | null }>(
  'integrations/connections/recordNotices',
  ['user_id', 'seller_account_uid', 'outcome'],
  `with before as (
  select account.user_id, account.uid, account.sale_notices, app_user.email
  from seller_account account
  join app_user on app_user.id = account.user_id
  left join seller_settings shard on shard.user_id = $1
  where account.user_id = $1 and account.uid = $2
  for update of account
)
update seller_account account set
  sale_notices = case when $3 = 'failed' then account.sale_notices else nullif($3, 'refused') end,
  notices_checked_at =
    case when $3 in ('failed', 'refused') then now() - interval '23 hours' else account.notices_checked_at end
from before
where account.user_id = $1 and account.uid = before.uid
returning case
  when $3 = 'consent_needed' and before.sale_notices is distinct from 'consent_needed' then before.email
  when $3 = 'refused' and before.sale_notices = 'subscribed' then before.email
end as told_email`,
)

/** Records that the platform answered for this connection, with the shop's current name and currency. */
export const recordSeen = statement<{ external_name: string; url: string; currency: string | null; user_id: number; seller_account_uid: string }, void>(
  'integrations/connections/recordSeen',
  ['external_name', 'url', 'currency', 'user_id', 'seller_account_uid'],
  `update seller_account set
  external_name = $1,
  url = $2,
  currency = coalesce($3, currency),
  last_seen_at = now(),
  last_checked_at = now()
where user_id = $4 and uid = $5 and status <> 'revoked'`,
)

/** Disconnects a shop and deletes its tokens. The row stays for its imported listings. */
export const revokeSellerAccount = statement<{ user_id: number; seller_account_uid: string }, void>(
  'integrations/connections/revokeSellerAccount',
  ['user_id', 'seller_account_uid'],
  `update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = $1 and uid = $2`,
)

/** Stores a renewed grant, unless a newer one is stored or the shop was disconnected. */
export const storeGrant = statement<{ encrypted_access_token: Buffer; encrypted_refresh_token: Buffer | null; access_seconds: number; status: string; refresh_seconds: number | null; user_id: number; seller_account_uid: string; token_epoch: number }, { token_epoch: number }>(
  'integrations/connections/storeGrant',
  ['encrypted_access_token', 'encrypted_refresh_token', 'access_seconds', 'status', 'refresh_seconds', 'user_id', 'seller_account_uid', 'token_epoch'],
  `update seller_account set
  encrypted_access_token = $1,
  encrypted_refresh_token = coalesce($2, encrypted_refresh_token),
  access_expires_at = now() + $3 * interval '1 second',
  refresh_expires_at = coalesce(renewed.until, refresh_expires_at),
  token_epoch = token_epoch + 1,
  status = $4,
  last_checked_at = now()
from (select now() + $5 * interval '1 second' as until) renewed
where user_id = $6 and uid = $7 and token_epoch = $8 and status <> 'revoked'
returning token_epoch`,
)

/** Stores a shop with its grant. Another account's live row violates seller_account_verified_shop_key. */
export const upsertConnection = statement<{ user_id: number; uid: string; platform: string; external_id: string; external_name: string; url: string; currency: string | null; on_vacation: boolean; encrypted_access_token: Buffer; encrypted_refresh_token: Buffer | null; access_seconds: number; refresh_seconds: number | null }, void>(
  'integrations/connections/upsertConnection',
  ['user_id', 'uid', 'platform', 'external_id', 'external_name', 'url', 'currency', 'on_vacation', 'encrypted_access_token', 'encrypted_refresh_token', 'access_seconds', 'refresh_seconds'],
  `insert into seller_account (user_id, uid, platform, external_id, external_name, url, currency, on_vacation, status,
  last_seen_at, last_checked_at, encrypted_access_token, encrypted_refresh_token, access_expires_at, refresh_expires_at, token_epoch)
values ($1, $2, $3, $4, $5, $6, $7, $8, 'connected',
  now(), now(),
  $9, $10, now() + $11 * interval '1 second',
  now() + $12 * interval '1 second', 1)
on conflict (user_id, platform, external_id) do update set
  external_name = excluded.external_name,
  url = excluded.url,
  currency = coalesce(excluded.currency, seller_account.currency),
  on_vacation = excluded.on_vacation,
  status = 'connected',
  connected_at = excluded.connected_at,
  last_seen_at = excluded.last_seen_at,
  last_checked_at = excluded.last_checked_at,
  encrypted_access_token = excluded.encrypted_access_token,
  encrypted_refresh_token = excluded.encrypted_refresh_token,
  access_expires_at = excluded.access_expires_at,
  refresh_expires_at = excluded.refresh_expires_at,
  token_epoch = seller_account.token_epoch + 1,
  sale_notices = null,
  notices_checked_at = null`,
)

/** Consumes a state once, before it expires, for the browser that started, at the platform's callback, while the account
 * is active. */
export const useState = statement<{ state_hash: Buffer; platform: string; browser_hash: Buffer }, { user_id: number; encrypted_code_verifier: Buffer | null; account_name: string }>(
  'integrations/connections/useState',
  ['state_hash', 'platform', 'browser_hash'],
  `update oauth_state state set used_at = now()
from app_user
where state.state_hash = $1 and state.platform = $2 and state.browser_hash = $3
  and state.used_at is null and state.expires_at > now()
  and app_user.id = state.user_id and app_user.state = 'active'
returning state.user_id, state.encrypted_code_verifier, coalesce(app_user.email, app_user.username) as account_name`,
)

/** Consumes a ticket once, before it expires, for its platform, while the account is active. Returns its holder. */
export const useTicket = statement<{ ticket_hash: Buffer; platform: string }, { user_id: number }>(
  'integrations/connections/useTicket',
  ['ticket_hash', 'platform'],
  `update connect_ticket ticket set used_at = now()
from app_user
where ticket.ticket_hash = $1 and ticket.platform = $2
  and ticket.used_at is null and ticket.expires_at > now()
  and app_user.id = ticket.user_id and app_user.state = 'active'
returning ticket.user_id`,
)
