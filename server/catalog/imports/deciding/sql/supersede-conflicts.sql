-- Ends the open conflicts of these listings in earlier imports of the shop, because this import decides about them anew.
-- If an id alone identifies a listing, includes all the user's shops on the platform.
update import_item earlier set status = 'skipped', resolution = 'superseded', processed_at = now(), action_uid = null
from import_job job, import_job this
where earlier.user_id = ${user_id} and earlier.external_listing_id = any(${listing_ids}::text[])
  and earlier.status = 'conflict' and earlier.job_uid <> ${job_uid}
  and this.user_id = earlier.user_id and this.uid = ${job_uid}
  and job.user_id = earlier.user_id and job.uid = earlier.job_uid and job.created_at <= this.created_at
  and (job.seller_account_uid = this.seller_account_uid or ${any_shop} and job.platform = this.platform)
