-- Releases unanswered calls of a dead process, whose work was rolled back. Waits for a response in progress and keeps
-- that call.
delete from idempotent_call where status is null
