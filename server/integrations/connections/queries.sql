-- import type { SellerAccount } from '#shared/contract/connections.ts'
-- import type { OAuthSlug } from '#shared/platforms.ts'

-- name: claimDueChecks
-- type platform: OAuthSlug
-- Claims connections that were unused for a day, or that have waited for their seller for an hour while their tokens
-- may still be valid. Concurrent workers claim different ones.
update seller_account account set last_checked_at = now()
from (
  select user_id, uid from seller_account
  where status <> 'revoked' and encrypted_refresh_token is not null
    and (
      last_checked_at is null
      or last_checked_at < now() - interval '1 day'
      or status = 'reconnect_required' and last_checked_at < now() - interval '1 hour'
    )
  order by last_checked_at nulls first
  limit :limit
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform

-- name: claimDueNotices
-- Claims eBay shops whose sale notices were not checked for some hours. Concurrent workers claim different ones.
update seller_account account set notices_checked_at = now()
from (
  select user_id, uid from seller_account
  where platform = 'ebay' and status = 'connected'
    and (notices_checked_at is null or notices_checked_at < now() - :hours * interval '1 hour')
  order by notices_checked_at nulls first
  limit :limit
  for update skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid

-- name: countAppShops
-- Counts the shops of all accounts on a platform that have not ended their connection.
select count(*)::integer as "shops!" from seller_account
where platform = :platform and status <> 'revoked' and encrypted_refresh_token is not null

-- name: countShops
-- Counts an account's shops on a platform, connected or not, and returns whether this one is among them.
select count(*)::integer as "count!", coalesce(bool_or(external_id = :external_id), false) as "is_known!"
from seller_account
where user_id = :user_id and platform = :platform

-- name: destroyConnections
-- Ends every connection of an account and deletes its tickets and authorizations, which could restore one.
with tickets as (
  delete from connect_ticket where user_id = :user_id
), states as (
  delete from oauth_state where user_id = :user_id
)
update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = :user_id and status <> 'revoked'
returning user_id, uid as seller_account_uid, platform, external_name

-- name: findAccess
-- type platform: OAuthSlug
-- Returns a shop's tokens to its own active owner. is_stale means that the access token should be renewed before use.
select account.uid as seller_account_uid, account.user_id, account.platform, account.external_id, account.external_name,
  account.url, account.status, account.token_epoch, account.encrypted_access_token, account.encrypted_refresh_token,
  coalesce(account.access_expires_at <= now() + interval '5 minutes', true) as "is_stale!",
  coalesce(account.access_expires_at <= now(), true) as "is_expired!"
from seller_account account
join app_user on app_user.id = account.user_id
where account.user_id = :user_id and account.uid = :seller_account_uid and app_user.state = 'active'

-- name: findFinished
-- Returns the shop that a used state of this browser connected, while its account and that connection last. A state does
-- not name its shop: it is the first one that was connected after the state was used, within two minutes.
select shop.external_name, coalesce(app_user.email, app_user.username) as "account_name!"
from oauth_state state
join app_user on app_user.id = state.user_id
join seller_account shop on shop.user_id = state.user_id and shop.platform = state.platform
where state.state_hash = :state_hash and state.platform = :platform and state.browser_hash = :browser_hash
  and state.expires_at > now() and app_user.state = 'active' and shop.status = 'connected'
  and shop.connected_at between state.used_at and state.used_at + interval '2 minutes'
order by shop.connected_at
limit 1

-- name: findLastScrapedShop
-- Returns the user's shop on a platform that was connected last, preferring connected shops.
select uid from seller_account
where user_id = :user_id and platform = :platform
order by status <> 'revoked' desc, connected_at desc
limit 1

-- name: findOrCreateScrapedShop
-- Returns the shop of an active account by its user name, creating it if necessary. Other accounts may have the same.
insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
select id, :uid, :platform, :external_id, :external_name, :url, 'connected'
from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'active'
for no key update of app_user
on conflict (user_id, platform, external_id) do update set
  external_name = excluded.external_name,
  url = excluded.url,
  connected_at = case when seller_account.status = 'connected' then seller_account.connected_at else excluded.connected_at end,
  status = 'connected'
returning uid, xmax = 0 as "is_new!"

-- name: findOwnShop
-- Locks an account's row of a shop in any status.
select uid, status
from seller_account account left join seller_settings shard on shard.user_id = :user_id
where account.user_id = :user_id and platform = :platform and external_id = :external_id
for update of account

-- name: findSellerAccount
-- Locks a shop of its own account and returns its tokens.
select account.user_id, uid as seller_account_uid, platform, status, encrypted_access_token, encrypted_refresh_token
from seller_account account left join seller_settings shard on shard.user_id = :user_id
where account.user_id = :user_id and uid = :seller_account_uid
for update of account

-- name: findState
-- Returns whether this browser can use a state at this platform's callback (`useState`).
select true as is_open
from oauth_state state
join app_user on app_user.id = state.user_id
where state.state_hash = :state_hash and state.platform = :platform and state.browser_hash = :browser_hash
  and state.used_at is null and state.expires_at > now() and app_user.state = 'active'

-- name: insertState
-- Inserts an authorization's state for ten minutes and deletes the account's old ones. The caller has locked the
-- account.
with swept as (
  delete from oauth_state where user_id = :user_id and expires_at < now() - interval '1 hour'
)
insert into oauth_state (user_id, state_hash, platform, browser_hash, encrypted_code_verifier, expires_at)
values (:user_id, :state_hash, :platform, :browser_hash, :encrypted_code_verifier?, now() + interval '10 minutes')

-- name: insertTicket
-- Inserts a ticket and deletes the account's old ones. The caller has locked the account.
with swept as (
  delete from connect_ticket where user_id = :user_id and expires_at < now() - interval '1 hour'
)
insert into connect_ticket (user_id, ticket_hash, platform, expires_at)
values (:user_id, :ticket_hash, :platform, now() + :seconds * interval '1 second')
returning expires_at

-- name: listSellerAccounts
-- type health: SellerAccount['health']
-- Lists all shops of an account, also disconnected ones, newest first. A shop's health comes from its last calls:
-- ending listings, reading orders, importing.
select shop.uid, shop.platform, shop.external_id, shop.external_name, shop.status, shop.connected_at, shop.last_synced_at,
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
  ) as "health!"
from seller_account shop
left join order_sync sync on sync.user_id = :user_id and sync.seller_account_uid = shop.uid
left join lateral (
  select *
  from (
    (
      select 1 as place, 'take_down' as reason, error_message as message, created_at as since,
        next_attempt_at as next_try_at
      from listing_operation
      where user_id = :user_id and seller_account_uid = shop.uid and kind = 'delist' and state = 'open' and failures > 0
      order by created_at
      limit 1
    )
    union all
    select 2, 'orders', sync.error_message, coalesce(sync.last_success_at, sync.created_at), sync.next_read_at
    where sync.failures > 0
    union all
    select 3, 'imports', null, touched_at, null
    from import_job
    where user_id = :user_id and seller_account_uid = shop.uid and status in ('pending', 'in_progress') and failures > 0
  ) failed
  order by place
  limit 1
) failing on true
where shop.user_id = :user_id
order by shop.connected_at desc, shop.uid
limit 1000

-- name: listSellingPlatforms
-- Lists the platforms where this account has a working connection.
select distinct platform from seller_account where user_id = :user_id and status = 'connected'

-- name: lockAccess
-- type platform: OAuthSlug
-- Like find-access, but locks the row, so that one refresh runs at a time over all processes.
select account.uid as seller_account_uid, account.user_id, account.platform, account.external_id, account.external_name,
  account.url, account.status, account.token_epoch, account.encrypted_access_token, account.encrypted_refresh_token,
  coalesce(account.access_expires_at <= now() + interval '5 minutes', true) as "is_stale!",
  coalesce(account.access_expires_at <= now(), true) as "is_expired!"
from seller_account account
join app_user on app_user.id = account.user_id
left join seller_settings shard on shard.user_id = :user_id
where account.user_id = :user_id and account.uid = :seller_account_uid and app_user.state = 'active'
for update of account

-- name: lockUser
-- Locks an active account, so that decisions about its shops do not run concurrently.
select id from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'active'
for no key update of app_user

-- name: markConnected
-- Marks a connection as connected again, if the grant that was just tried is still the current one.
update seller_account set status = 'connected'
where user_id = :user_id and uid = :seller_account_uid and token_epoch = :token_epoch
  and status = 'reconnect_required'
returning uid

-- name: markReconnectRequired
-- Marks a shop whose grant the platform rejects, if that grant is still the current one. Deletes a grant that is gone.
update seller_account set
  status = 'reconnect_required',
  encrypted_access_token = case when :grant_gone then null else encrypted_access_token end,
  encrypted_refresh_token = case when :grant_gone then null else encrypted_refresh_token end,
  last_checked_at = now()
where user_id = :user_id and uid = :seller_account_uid and token_epoch = :token_epoch
  and (status = 'connected' or status = 'reconnect_required' and :grant_gone and encrypted_refresh_token is not null)
returning uid

-- name: markSynced
-- Records that the shop's listings or orders were just read.
update seller_account set last_synced_at = now(), last_seen_at = now(), last_checked_at = now()
where user_id = :user_id and uid = :seller_account_uid and status = 'connected'

-- name: nameScrapedShop
-- Gives the account's nameless shop the name of the first shop that is read, unless the account already has that shop.
update seller_account nameless set
  external_id = :external_id, external_name = :external_name, url = :url, connected_at = now(), status = 'connected'
where nameless.user_id = :user_id and nameless.platform = :platform and nameless.external_id = :nameless_id
  and not exists (
    select from seller_account named
    where named.user_id = :user_id and named.platform = :platform and named.external_id = :external_id
  )

-- name: postponeCheck
-- Makes the next check due in a quarter of an hour, because the platform did not answer.
update seller_account set last_checked_at = now() - interval '1 day' + interval '15 minutes'
where user_id = :user_id and uid = :seller_account_uid and status = 'connected'

-- name: recordNotices
-- Records the state of a shop's sale notices. A failure is retried in an hour; it keeps the old state unless eBay refused
-- the subscription. Returns the seller's address when the consent first turns out to lack the permission, or when eBay
-- first refuses what was subscribed, so that one mail tells of it.
with before as (
  select account.user_id, account.uid, account.sale_notices, app_user.email
  from seller_account account
  join app_user on app_user.id = account.user_id
  left join seller_settings shard on shard.user_id = :user_id
  where account.user_id = :user_id and account.uid = :seller_account_uid
  for update of account
)
update seller_account account set
  sale_notices = case when :outcome? = 'failed' then account.sale_notices else nullif(:outcome, 'refused') end,
  notices_checked_at =
    case when :outcome in ('failed', 'refused') then now() - interval '23 hours' else account.notices_checked_at end
from before
where account.user_id = :user_id and account.uid = before.uid
returning case
  when :outcome = 'consent_needed' and before.sale_notices is distinct from 'consent_needed' then before.email
  when :outcome = 'refused' and before.sale_notices = 'subscribed' then before.email
end as told_email

-- name: recordSeen
-- Records that the platform answered for this connection, with the shop's current name and currency.
update seller_account set
  external_name = :external_name,
  url = :url,
  currency = coalesce(:currency?, currency),
  last_seen_at = now(),
  last_checked_at = now()
where user_id = :user_id and uid = :seller_account_uid and status <> 'revoked'

-- name: revokeSellerAccount
-- Disconnects a shop and deletes its tokens. The row stays for its imported listings.
update seller_account set
  status = 'revoked',
  encrypted_access_token = null,
  encrypted_refresh_token = null,
  access_expires_at = null,
  refresh_expires_at = null,
  token_epoch = token_epoch + 1
where user_id = :user_id and uid = :seller_account_uid

-- name: storeGrant
-- Stores a renewed grant, unless a newer one is stored or the shop was disconnected.
update seller_account set
  encrypted_access_token = :encrypted_access_token,
  encrypted_refresh_token = coalesce(:encrypted_refresh_token?, encrypted_refresh_token),
  access_expires_at = now() + :access_seconds * interval '1 second',
  refresh_expires_at = coalesce(renewed.until, refresh_expires_at),
  token_epoch = token_epoch + 1,
  status = :status,
  last_checked_at = now()
from (select now() + :refresh_seconds? * interval '1 second' as until) renewed
where user_id = :user_id and uid = :seller_account_uid and token_epoch = :token_epoch and status <> 'revoked'
returning token_epoch

-- name: upsertConnection
-- Stores a shop with its grant. Another account's live row violates seller_account_verified_shop_key.
insert into seller_account (user_id, uid, platform, external_id, external_name, url, currency, on_vacation, status,
  last_seen_at, last_checked_at, encrypted_access_token, encrypted_refresh_token, access_expires_at, refresh_expires_at, token_epoch)
values (:user_id, :uid, :platform, :external_id, :external_name, :url, :currency?, :on_vacation, 'connected',
  now(), now(),
  :encrypted_access_token, :encrypted_refresh_token?, now() + :access_seconds * interval '1 second',
  now() + :refresh_seconds? * interval '1 second', 1)
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
  notices_checked_at = null

-- name: useState
-- Consumes a state once, before it expires, for the browser that started, at the platform's callback, while the account
-- is active.
update oauth_state state set used_at = now()
from app_user
where state.state_hash = :state_hash and state.platform = :platform and state.browser_hash = :browser_hash
  and state.used_at is null and state.expires_at > now()
  and app_user.id = state.user_id and app_user.state = 'active'
returning state.user_id, state.encrypted_code_verifier, coalesce(app_user.email, app_user.username) as "account_name!"

-- name: useTicket
-- Consumes a ticket once, before it expires, for its platform, while the account is active. Returns its holder.
update connect_ticket ticket set used_at = now()
from app_user
where ticket.ticket_hash = :ticket_hash and ticket.platform = :platform
  and ticket.used_at is null and ticket.expires_at > now()
  and app_user.id = ticket.user_id and app_user.state = 'active'
returning ticket.user_id
