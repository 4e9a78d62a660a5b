-- Cancels the publishing of an item. The worker ends what it has created. Operations that the platform has accepted
-- become done, so that their listings are ended like any other.
with undone as (
  update listing_operation set
    cancel_requested_at = coalesce(cancel_requested_at, now()),
    priority = greatest(priority, ${priority}),
    next_attempt_at = least(next_attempt_at, now()),
    state = case when accepted_at is null then state else 'done' end,
    finished_at = case when accepted_at is null then null else now() end,
    lease_epoch = case when accepted_at is null then lease_epoch else lease_epoch + 1 end
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'list' and state = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
  returning user_id, id, platform, accepted_at is null as is_under_way
), results as (
  update bulk_item set status = 'cancelled'
  from undone
  where not undone.is_under_way and bulk_item.user_id = undone.user_id and bulk_item.operation_id = undone.id
    and bulk_item.status = 'pending'
)
select platform, is_under_way from undone
