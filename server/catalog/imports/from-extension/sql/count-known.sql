-- Returns the number of known listings of a shop: from this import, from earlier ones (the extension sends only changes),
-- and listed by us. Failed items that are no listings do not count. Also returns whether this import has already reported
-- missing listings.
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
