-- Makes an item due again after some seconds.
update image_copy set
  due_at = now() + ${seconds} * interval '1 second', failure = ${failure}, attempts = ${attempts}
where user_id = ${user_id} and item_uid = ${item_uid}
