-- Stores part of a preview, in place of an earlier version.
insert into import_preview (
  user_id, job_uid, generation, item_uid, status, conflict_type, conflict_details, error_code, error_message
)
select ${user_id}, ${job_uid}, ${generation}, row.*
from json_to_recordset(${rows}::json) as row (
  item_uid text, status text, conflict_type text, conflict_details text, error_code text, error_message text
)
on conflict (user_id, job_uid, generation, item_uid) do update set
  status = excluded.status, conflict_type = excluded.conflict_type, conflict_details = excluded.conflict_details,
  error_code = excluded.error_code, error_message = excluded.error_message
