-- How many listings of a shop are known: from this import, from earlier ones (the extension sends what has changed), or
-- because they are listed; and whether this import says already that some could not be read. Failed items that are no
-- listings do not count.
with brought as (
  select item.external_listing_id, item.job_uid, item.found ->> 'field' as field
  from import_job job
  join import_item item on item.user_id = job.user_id and item.job_uid = job.uid
  where job.user_id = ${user_id} and job.seller_account_uid = ${seller_account_uid}
)
select
  (
    select count(*)::integer
    from (
      select external_listing_id from brought where field is distinct from 'listings' and external_listing_id not like 'shop:%'
      union
      select listing_id from channel_listing where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
    ) known
  ) as known,
  exists (
    select from brought where job_uid = ${uid} and external_listing_id >= 'shop:total' and external_listing_id < 'shop:totam'
  ) as is_reported
