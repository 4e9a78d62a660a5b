// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** Returns accounts by id, e-mail address or phone number, whatever their state. */
export const findAccounts = statement<{ kept_days: number; id: number | null; email: string | null; phone: string | null }, { id: number; username: string; email: string | null; email_verified: boolean; phone_number: string | null; phone_verified: boolean; state: 'active' | 'deactivated'; created_at: string; deactivated_at: string | null; erasing_since: string | null; erased_at: string | null; erased_from: string | null }>(
  'operations/admin/findAccounts',
  ['kept_days', 'id', 'email', 'phone'],
  `select id, username, email, email_verified, phone_number, phone_verified, state, created_at, deactivated_at, erasing_since,
  erased_at, deactivated_at + $1 * interval '1 day' as erased_from
from app_user
where id = $2 or email = $3 or phone_number = $4
order by id`,
)

/** Returns the queue and state of a job. */
export const findJob = statement<{ id: string }, { queue: string; state: string }>(
  'operations/admin/findJob',
  ['id'],
  `select name as queue, state::text as state from jobs.job where id = $1::uuid`,
)

/** Gives an account a subscription until a time. A time in the past ends it. */
export const grantSubscription = statement<{ until: string | Date; user_id: number }, { ends_at: string }>(
  'operations/admin/grantSubscription',
  ['until', 'user_id'],
  `insert into subscription_grant (user_id, ends_at)
select id, $1::timestamptz from app_user where id = $2 and state = 'active'
on conflict (user_id) do update set ends_at = excluded.ends_at, granted_at = excluded.granted_at
returning ends_at`,
)

/** Returns the newest actions of operators. */
export const listActions = statement<{ limit: number | string }, { at: string; operator: string; command: string; subject: string }>(
  'operations/admin/listActions',
  ['limit'],
  `select at, operator, command, subject from operator_action order by id desc limit $1`,
)

/** Returns jobs of a state, those that failed last first. Without the payload, which may be encrypted or private. */
export const listJobs = statement<{ state: string; queue: string | null; account: string | null; limit: number | string }, { id: string; queue: string; state: string; account: string | null; retry_count: number | null; created_on: string; start_after: string | null; started_on: string | null; completed_on: string | null; error: string | null }>(
  'operations/admin/listJobs',
  ['state', 'queue', 'account', 'limit'],
  `select id as id, name as queue, state::text as state, group_id as account, retry_count, created_on as created_on, start_after, started_on, completed_on,
  left(output ->> 'message', 200) as error
from jobs.job
where state::text = $1 and ($2::text is null or name = $2) and ($3::text is null or group_id = $3)
order by coalesce(completed_on, started_on, created_on) desc
limit $4`,
)

/** Returns messages of a state, the oldest first. Without their content, which is encrypted. */
export const listMessages = statement<{ states: readonly (string | null)[]; limit: number | string }, { id: string; channel: 'mail' | 'sms'; template: string; status: 'waiting' | 'sending' | 'sent' | 'failed' | 'expired'; account: number | null; attempts: number; created_at: string; expires_at: string; error: string | null }>(
  'operations/admin/listMessages',
  ['states', 'limit'],
  `select id, channel, template, status, user_id as account, attempts, created_at, expires_at, last_error as error
from outbox_message
where status = any($1)
order by created_at
limit $2`,
)

/** Returns the paused platforms. */
export const listPauses = statement<object, { platform: PlatformSlug; paused_at: string }>(
  'operations/admin/listPauses',
  [],
  `select platform, paused_at from platform_pause order by platform`,
)

/** Pauses all calls to a platform. No row if it is paused already. */
export const pausePlatform = statement<{ platform: string }, { paused_at: string }>(
  'operations/admin/pausePlatform',
  ['platform'],
  `insert into platform_pause (platform) values ($1) on conflict do nothing returning paused_at`,
)

/** Records what an operator did. `subject` names no person: the row outlives an erased account. */
export const recordAction = statement<{ operator: string; command: string; subject: string }, void>(
  'operations/admin/recordAction',
  ['operator', 'command', 'subject'],
  `insert into operator_action (operator, command, subject) values ($1, $2, $3)`,
)

/** Reopens a closed account while its data exists. Its linked identities work again; keys and sessions stay ended. */
export const reopenAccount = statement<{ user_id: number; kept_days: number }, { id: number }>(
  'operations/admin/reopenAccount',
  ['user_id', 'kept_days'],
  `with opened as (
  update app_user set state = 'active', deactivated_at = null
  where id = $1 and state = 'deactivated' and erasing_since is null
    and deactivated_at > now() - $2 * interval '1 day'
  returning id
), links as (
  update social_link set ended_at = null from opened where social_link.user_id = opened.id
)
select id from opened`,
)

/** Resumes calls to a platform. No row if it was not paused. */
export const resumePlatform = statement<{ platform: string }, { paused_at: string }>(
  'operations/admin/resumePlatform',
  ['platform'],
  `delete from platform_pause where platform = $1 returning paused_at`,
)

/** Returns figures about an account: what it has, and what waits. */
export const showAccount = statement<{ user_id: number }, { items: number | null; listings: number | null; sales: number | null; api_keys: number | null; webhooks: number | null; waiting_jobs: number | null; failed_jobs: number | null; granted_until: string | null; shops: { platform: string; name: string | null; status: string }[] }>(
  'operations/admin/showAccount',
  ['user_id'],
  `select
  (select count(*)::integer from inventory_item where user_id = $1) as items,
  (select count(*)::integer from channel_listing where user_id = $1) as listings,
  (select count(*)::integer from sale where user_id = $1) as sales,
  (select count(*)::integer from api_key where user_id = $1) as api_keys,
  (select count(*)::integer from webhook_endpoint where user_id = $1) as webhooks,
  (select count(*)::integer from jobs.job where group_id = $1::text and state < 'completed') as waiting_jobs,
  (select count(*)::integer from jobs.job where group_id = $1::text and state = 'failed') as failed_jobs,
  (select max(ends_at) from subscription_grant where user_id = $1) as granted_until,
  coalesce((
    select json_agg(json_build_object('platform', platform, 'name', external_name, 'status', status) order by platform)
    from seller_account where user_id = $1
  ), '[]') as shops`,
)
