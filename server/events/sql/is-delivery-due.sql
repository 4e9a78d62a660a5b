-- Whether anything is due that may have to be claimed; cheap, as this is asked at every event.
select exists (select from webhook_endpoints_waiting() waiting where waiting.due_at <= now()) as is_due
