-- name: beginErasure
-- Removes everything that names a person from a closed account. The remaining row only says when the account existed.
update app_user set
  erasing_since = least(erasing_since, now()), username = 'erased-' || id, email = null, email_verified = false,
  phone_number = null, phone_verified = false, first_name = '', last_name = '', password_hash = null, secured_at = null
where id = :user_id

-- name: closeAccount
-- Closes an active account. Its e-mail address and phone number stay reserved. The lock also stops new rows of the
-- account: a sale in progress is waited for, and the next one finds the account closed.
update app_user set state = 'deactivated', deactivated_at = now()
from (select id from app_user where id = :user_id and state = 'active' for update) held
where app_user.id = held.id
returning app_user.email, app_user.phone_number

-- name: endErasure
-- Records that a closed account is erased.
update app_user set erased_at = now() where id = :user_id and erasing_since is not null

-- name: eraseChallenges
-- Deletes codes sent to a phone number or an e-mail address, which belong to no account.
delete from phone_challenge where phone_number = :phone_number? or email = :email?

-- name: eraseUnclaimed
-- Deletes customers who paid under an e-mail address that no account had verified.
delete from unclaimed_customer where lower(email) = :email?

-- name: findExportedAccount
-- Returns an account as its owner or the support may see it.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, state, created_at,
  deactivated_at, erased_at
from app_user
where id = :user_id

-- name: listDueErasures
-- Returns closed accounts whose personal data is due to be erased, or is being erased.
select id from app_user
where state = 'deactivated' and erased_at is null
  and (erasing_since is not null or deactivated_at < now() - :kept_days * interval '1 day')
order by id
limit 100

-- name: listHiddenColumns
-- Returns the columns of a table that are not exported: hashes, encrypted secrets and internal ones.
select coalesce(array_agg(attribute.attname::text), '{}') as "hidden!"
from pg_attribute attribute
where attribute.attrelid = :table::regclass and attribute.attnum > 0
  and (attribute.atttypid in ('bytea'::regtype, 'tsvector'::regtype)
    or attribute.attname ~ '(^|_)(hash|mac|secret|encrypted|lease|attempt)(_|$)')

-- name: listIdentities
-- Returns the identities at other services that are or were linked to an account.
select provider, subject from social_link where user_id = :user_id

-- name: listOwnedTables
-- Returns the tables whose rows belong to an account, referring tables first. `key`: the columns of the primary key.
with recursive owned as (
  select class.oid, class.relname
  from pg_class class
  join pg_attribute attribute on attribute.attrelid = class.oid
  where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
    and attribute.attname = 'user_id' and not attribute.attisdropped
), depth (oid, level) as (
  select oid, 0 from owned
  union
  select reference.conrelid, depth.level + 1
  from depth
  join pg_constraint reference on reference.confrelid = depth.oid and reference.contype = 'f'
  join owned on owned.oid = reference.conrelid
  where reference.conrelid <> reference.confrelid and depth.level < 20
)
select owned.relname as "name!", coalesce((
  select array_agg(attribute.attname::text order by part.place)
  from pg_index index, unnest(index.indkey) with ordinality as part (number, place)
  join pg_attribute attribute on attribute.attnum = part.number
  where index.indrelid = owned.oid and index.indisprimary and attribute.attrelid = owned.oid
), '{}') as "key!"
from owned
join depth using (oid)
group by owned.oid, owned.relname
order by max(depth.level) desc, owned.relname

-- name: lockClosedAccount
-- Returns a closed account that is not erased yet, and locks it until the transaction ends.
select id, username, email, phone_number
from app_user left join seller_settings shard on shard.user_id = :user_id
where id = :user_id and state = 'deactivated' and erased_at is null
for update of app_user

-- name: removeAccess
-- Removes every way into a closed account, and its webhook addresses. Its identities stay reserved, without their
-- tokens.
with keys as (
  delete from api_key where user_id = :user_id
), links as (
  delete from mailbox_token where user_id = :user_id
), challenges as (
  delete from phone_challenge where phone_number = :phone_number? or email = :email?
), identities as (
  update social_link set ended_at = now(), encrypted_refresh_token = null
  where user_id = :user_id and ended_at is null
), webhooks as (
  delete from webhook_endpoint where user_id = :user_id
), totp as (
  delete from totp_secret where user_id = :user_id
), codes as (
  delete from recovery_code where user_id = :user_id
), steps as (
  delete from signin_step where user_id = :user_id
), passkeys as (
  delete from passkey where user_id = :user_id
), passkey_challenges as (
  delete from passkey_challenge where user_id = :user_id
), subscriptions as (
  delete from web_push_subscription where user_id = :user_id and token_hash is null
), messages as (
  update outbox_message set status = 'expired', encrypted_message = null
  where user_id = :user_id and status = 'waiting'
)
delete from bearer_token where user_id = :user_id

-- name: removeQueuedJobs
-- Removes a closed account's waiting jobs from the queue. Running ones stop before their next step.
delete from jobs.job where group_id = :group and state in ('created', 'retry')
