-- Deletes reports of listings as sold if an import that began later shows them on offer.
delete from sold_report report
using import_job job
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress')
  and report.user_id = job.user_id and report.platform = job.platform and report.listing_id = any(${listing_ids}::text[])
  and report.seen_at < job.created_at
