-- Makes all waiting items of an account due tomorrow, because its photos are full. Returns its mail address if the seller
-- does not know yet.
with known as (
  select from image_copy where user_id = ${user_id} and due_at is not null and failure = ${failure} limit 1
), paused as (
  update image_copy set due_at = now() + interval '1 day', failure = ${failure}, attempts = 0
  where user_id = ${user_id} and due_at is not null
)
select email from app_user where id = ${user_id} and email_verified and not exists (select from known)
