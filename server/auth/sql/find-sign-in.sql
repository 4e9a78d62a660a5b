-- The account of an address, whatever its state, and whether it was entered from this network before.
select id, username, email, password_hash, state,
  exists (
    select from known_network known where known.user_id = app_user.id and known.network = ${network}
  ) as is_known_network
from app_user
where email = ${email}
