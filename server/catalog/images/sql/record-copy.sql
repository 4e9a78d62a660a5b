-- Records what is copied of an item's photos so far, so that a later attempt continues there.
update image_copy set sources = ${sources}, copies = ${copies}
where user_id = ${user_id} and item_uid = ${item_uid}
