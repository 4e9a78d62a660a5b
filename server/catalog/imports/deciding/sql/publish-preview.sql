-- Publishes a finished preview, if it is still the newest that was requested, and deletes older ones.
with published as (
  update import_job set preview_ready = ${generation}
  where user_id = ${user_id} and uid = ${job_uid} and preview_requested = ${generation}
)
delete from import_preview
where user_id = ${user_id} and job_uid = ${job_uid} and generation < ${generation}
