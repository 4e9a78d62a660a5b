-- Stores the response to a batch.
insert into import_batch (user_id, job_uid, batch_id, answer)
values (${user_id}, ${job_uid}, ${batch_id}, ${answer:json})
