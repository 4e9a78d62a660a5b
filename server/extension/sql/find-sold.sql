-- Which of these listings of an import's shop have an item that nobody has yet, or that another platform's buyer has.
select listing.listing_id, listing.price_minor, listing.currency, job.seller_account_uid, job.platform
from import_job job
join channel_listing listing on listing.user_id = job.user_id and listing.seller_account_uid = job.seller_account_uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any(${listing_ids}::text[])
  and (
    item.state <> 'sold' or exists (
      select from order_line line
      join marketplace_order holder on holder.user_id = line.user_id and holder.uid = line.order_uid
      where line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'sold'
        and holder.platform not in ('outside', job.platform)
    )
  )
order by listing.listing_id
