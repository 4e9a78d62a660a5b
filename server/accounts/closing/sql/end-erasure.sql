-- Records that a closed account is erased.
update app_user set erased_at = now() where id = ${user_id} and erasing_since is not null
