-- name: findAccounts
-- Returns accounts by id, e-mail address or phone number, whatever their state.
select id, username, email, email_verified, phone_number, phone_verified, state, created_at, deactivated_at, erasing_since,
  erased_at, deactivated_at + :kept_days * interval '1 day' as erased_from
from app_user
where id = :id? or email = :email? or phone_number = :phone?
order by id

-- name: findJob
-- Returns the queue and state of a job.
select name as "queue!", state::text as "state!" from jobs.job where id = :id::uuid

-- name: grantSubscription
-- Gives an account a subscription until a time. A time in the past ends it.
insert into subscription_grant (user_id, ends_at)
select id, :until::timestamptz from app_user where id = :user_id and state = 'active'
on conflict (user_id) do update set ends_at = excluded.ends_at, granted_at = excluded.granted_at
returning ends_at

-- name: listActions
-- Returns the newest actions of operators.
select at, operator, command, subject from operator_action order by id desc limit :limit

-- name: listJobs
-- Returns jobs of a state, those that failed last first. Without the payload, which may be encrypted or private.
select id as "id!", name as "queue!", state::text as "state!", group_id as account, retry_count, created_on as "created_on!", start_after, started_on, completed_on,
  left(output ->> 'message', 200) as error
from jobs.job
where state::text = :state and (:queue?::text is null or name = :queue) and (:account?::text is null or group_id = :account)
order by coalesce(completed_on, started_on, created_on) desc
limit :limit

-- name: listMessages
-- Returns messages of a state, the oldest first. Without their content, which is encrypted.
select id, channel, template, status, user_id as account, attempts, created_at, expires_at, last_error as error
from outbox_message
where status = any(:states)
order by created_at
limit :limit

-- name: listPauses
-- Returns the paused platforms.
select platform, paused_at from platform_pause order by platform

-- name: pausePlatform
-- Pauses all calls to a platform. No row if it is paused already.
insert into platform_pause (platform) values (:platform) on conflict do nothing returning paused_at

-- name: recordAction
-- Records what an operator did. `subject` names no person: the row outlives an erased account.
insert into operator_action (operator, command, subject) values (:operator, :command, :subject)

-- name: reopenAccount
-- Reopens a closed account while its data exists. Its linked identities work again; keys and sessions stay ended.
with opened as (
  update app_user set state = 'active', deactivated_at = null
  where id = :user_id and state = 'deactivated' and erasing_since is null
    and deactivated_at > now() - :kept_days * interval '1 day'
  returning id
), links as (
  update social_link set ended_at = null from opened where social_link.user_id = opened.id
)
select id from opened

-- name: resumePlatform
-- Resumes calls to a platform. No row if it was not paused.
delete from platform_pause where platform = :platform returning paused_at

-- name: showAccount
-- type shops: { platform: string; name: string | null; status: string }[]
-- Returns figures about an account: what it has, and what waits.
select
  (select count(*)::integer from inventory_item where user_id = :user_id) as items,
  (select count(*)::integer from channel_listing where user_id = :user_id) as listings,
  (select count(*)::integer from sale where user_id = :user_id) as sales,
  (select count(*)::integer from api_key where user_id = :user_id) as api_keys,
  (select count(*)::integer from webhook_endpoint where user_id = :user_id) as webhooks,
  (select count(*)::integer from jobs.job where group_id = :user_id::text and state < 'completed') as waiting_jobs,
  (select count(*)::integer from jobs.job where group_id = :user_id::text and state = 'failed') as failed_jobs,
  (select max(ends_at) from subscription_grant where user_id = :user_id) as granted_until,
  coalesce((
    select json_agg(json_build_object('platform', platform, 'name', external_name, 'status', status) order by platform)
    from seller_account where user_id = :user_id
  ), '[]') as "shops!"
