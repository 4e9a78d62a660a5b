-- Removes entries of the audit trail that were kept as long as the setting says.
delete from audit_log where ctid = any(array(
  select ctid from audit_log where expires_at < now() limit 5000 for update skip locked
))
