// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Removes everything that names a person from a closed account. The remaining row only says when the account existed. */
export const beginErasure = statement<{ user_id: number }, void>(
  'accounts/closing/beginErasure',
  ['user_id'],
  `update app_user set
  erasing_since = least(erasing_since, now()), username = 'erased-' || id, email = null, email_verified = false,
  phone_number = null, phone_verified = false, first_name = '', last_name = '', password_hash = null, secured_at = null
where id = $1`,
)

/** Closes an active account. Its e-mail address and phone number stay reserved. The lock also stops new rows of the
 * account: a sale in progress is waited for, and the next one finds the account closed. */
export const closeAccount = statement<{ user_id: number }, { email: string | null; phone_number: string | null }>(
  'accounts/closing/closeAccount',
  ['user_id'],
  `update app_user set state = 'deactivated', deactivated_at = now()
from (select id from app_user where id = $1 and state = 'active' for update) held
where app_user.id = held.id
returning app_user.email, app_user.phone_number`,
)

/** Records that a closed account is erased. */
export const endErasure = statement<{ user_id: number }, void>(
  'accounts/closing/endErasure',
  ['user_id'],
  `update app_user set erased_at = now() where id = $1 and erasing_since is not null`,
)

/** Deletes codes sent to a phone number or an e-mail address, which belong to no account. */
export const eraseChallenges = statement<{ phone_number: string | null; email: string | null }, void>(
  'accounts/closing/eraseChallenges',
  ['phone_number', 'email'],
  `delete from phone_challenge where phone_number = $1 or email = $2`,
)

/** Deletes customers who paid under an e-mail address that no account had verified. */
export const eraseUnclaimed = statement<{ email: string | null }, void>(
  'accounts/closing/eraseUnclaimed',
  ['email'],
  `delete from unclaimed_customer where lower(email) = $1`,
)

/** Returns an account as its owner or the support may see it. */
export const findExportedAccount = statement<{ user_id: number }, { id: number; username: string; email: string | null; email_verified: boolean; phone_number: string | null; phone_verified: boolean; first_name: string; last_name: string; state: 'active' | 'deactivated'; created_at: string; deactivated_at: string | null; erased_at: string | null }>(
  'accounts/closing/findExportedAccount',
  ['user_id'],
  `select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, state, created_at,
  deactivated_at, erased_at
from app_user
where id = $1`,
)

/** Returns closed accounts whose personal data is due to be erased, or is being erased. */
export const listDueErasures = statement<{ kept_days: number }, { id: number }>(
  'accounts/closing/listDueErasures',
  ['kept_days'],
  `select id from app_user
where state = 'deactivated' and erased_at is null
  and (erasing_since is not null or deactivated_at < now() - $1 * interval '1 day')
order by id
limit 100`,
)

/** Returns the columns of a table that are not exported: hashes, encrypted secrets and internal ones. */
export const listHiddenColumns = statement<{ table: string }, { hidden: string[] }>(
  'accounts/closing/listHiddenColumns',
  ['table'],
  `select coalesce(array_agg(attribute.attname::text), '{}') as hidden
from pg_attribute attribute
where attribute.attrelid = $1::regclass and attribute.attnum > 0
  and (attribute.atttypid in ('bytea'::regtype, 'tsvector'::regtype)
    or attribute.attname ~ '(^|_)(hash|mac|secret|encrypted|lease|attempt)(_|$)')`,
)

/** Returns the identities at other services that are or were linked to an account. */
export const listIdentities = statement<{ user_id: number }, { provider: 'apple' | 'ebay' | 'etsy'; subject: string }>(
  'accounts/closing/listIdentities',
  ['user_id'],
  `select provider, subject from social_link where user_id = $1`,
)

/** Returns the tables whose rows belong to an account, referring tables first. `key`: the columns of the primary key. */
export const listOwnedTables = statement<object, { name: string; key: string[] }>(
  'accounts/closing/listOwnedTables',
  [],
  `with recursive owned as (
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
select owned.relname as name, coalesce((
  select array_agg(attribute.attname::text order by part.place)
  from pg_index index, unnest(index.indkey) with ordinality as part (number, place)
  join pg_attribute attribute on attribute.attnum = part.number
  where index.indrelid = owned.oid and index.indisprimary and attribute.attrelid = owned.oid
), '{}') as key
from owned
join depth using (oid)
group by owned.oid, owned.relname
order by max(depth.level) desc, owned.relname`,
)

/** Returns a closed account that is not erased yet, and locks it until the transaction ends. */
export const lockClosedAccount = statement<{ user_id: number }, { id: number; username: string; email: string | null; phone_number: string | null }>(
  'accounts/closing/lockClosedAccount',
  ['user_id'],
  `select id, username, email, phone_number
from app_user left join seller_settings shard on shard.user_id = $1
where id = $1 and state = 'deactivated' and erased_at is null
for update of app_user`,
)

/** Removes every way into a closed account, and its webhook addresses. Its identities stay reserved, without their
 * tokens. */
export const removeAccess = statement<{ user_id: number; phone_number: string | null; email: string | null }, void>(
  'accounts/closing/removeAccess',
  ['user_id', 'phone_number', 'email'],
  `with keys as (
  delete from api_key where user_id = $1
), links as (
  delete from mailbox_token where user_id = $1
), challenges as (
  delete from phone_challenge where phone_number = $2 or email = $3
), identities as (
  update social_link set ended_at = now(), encrypted_refresh_token = null
  where user_id = $1 and ended_at is null
), webhooks as (
  delete from webhook_endpoint where user_id = $1
), totp as (
  delete from totp_secret where user_id = $1
), codes as (
  delete from recovery_code where user_id = $1
), steps as (
  delete from signin_step where user_id = $1
), passkeys as (
  delete from passkey where user_id = $1
), passkey_challenges as (
  delete from passkey_challenge where user_id = $1
), subscriptions as (
  delete from web_push_subscription where user_id = $1 and token_hash is null
), messages as (
  update outbox_message set status = 'expired', encrypted_message = null
  where user_id = $1 and status = 'waiting'
)
delete from bearer_token where user_id = $1`,
)

/** Removes a closed account's waiting jobs from the queue. Running ones stop before their next step. */
export const removeQueuedJobs = statement<{ group: string }, void>(
  'accounts/closing/removeQueuedJobs',
  ['group'],
  `delete from jobs.job where group_id = $1 and state in ('created', 'retry')`,
)
