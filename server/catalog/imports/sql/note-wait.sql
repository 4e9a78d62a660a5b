-- Records why a job waits and when it is retried, unless another worker has claimed it since.
update import_job set wait_reason = ${reason}, retry_at = now() + ${seconds} * interval '1 second'
where user_id = ${user_id} and uid = ${uid} and lease_epoch = ${lease_epoch}
