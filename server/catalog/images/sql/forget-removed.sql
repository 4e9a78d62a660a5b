-- Forgets images whose files are removed.
delete from removed_image where uid = any(${uids})
