-- Returns those of a shop's listings that are live there and ended here. An import counts by what was known when it
-- began. Listings that changed within the last 15 minutes, or are being changed, are left out: the platform may lag
-- behind. (The extension reads the page that buyers see.) A listing that was imported as sold, with an unknown buyer,
-- is a question for the seller.
select listing.listing_id, listing.item_uid, listing.url
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join import_job job on job.user_id = listing.user_id and job.uid = ${job_uid}
where listing.user_id = ${user_id} and listing.seller_account_uid = ${seller_account_uid}
  and listing.listing_id = any(${listing_ids}::text[]) and listing.state in ('removed', 'sold')
  and listing.updated_at < case job.source
    when 'extension' then job.created_at
    else coalesce(job.created_at, now()) - interval '15 minutes'
  end
  and not exists (
    select from listing_operation operation
    where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
  )
  and (
    listing.state = 'removed' or item.state <> 'sold' or exists (
      select from order_line line
      where line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'sold'
    )
  )
order by listing.observed_at, listing.listing_id
