-- Import jobs are shown by their time, newest first.
create index import_job_newest_idx on import_job (user_id, created_at desc, uid desc);
