-- Returns the listings of bulk jobs that failed for want of a choice, each once: of items that are still to be had and have
-- not been listed there since. An item asked for again, or given up, is settled.
create or replace function unanswered_listings(seller integer)
returns table (item_uid text, platform text, job_uid text, since timestamptz)
language plpgsql stable rows 100
as $$
#variable_conflict use_column
begin
  return query
  select distinct on (waiting.platform, waiting.item_uid) waiting.item_uid, waiting.platform, waiting.job_uid, job.created_at
  from bulk_item waiting
  join bulk_job job on job.user_id = waiting.user_id and job.uid = waiting.job_uid
  join inventory_item item on item.user_id = waiting.user_id and item.uid = waiting.item_uid and item.state = 'available'
  where waiting.user_id = seller and waiting.settled_at is null
    and waiting.error_code in ('choice_required', 'seller_account_required')
    and not exists (
      select from channel_listing listing
      where listing.user_id = waiting.user_id and listing.item_uid = waiting.item_uid and listing.platform = waiting.platform
        and (
          listing.state in ('available', 'reserved') or listing.created_at > job.created_at
          or listing.for_sale_since > job.created_at
        )
    )
  order by waiting.platform, waiting.item_uid, job.created_at desc;
end
$$;
