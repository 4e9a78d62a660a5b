-- Sets the primary address of a user. No row if the account is closed.
insert into postal_address (user_id, full_name, line1, line2, city, region, postal_code, country, phone)
select id, ${full_name}, ${line1}, ${line2}, ${city}, ${region}, ${postal_code}, ${country}, ${phone}
from (select id from app_user where id = ${user_id} and state = 'active' for share) holder
on conflict (user_id) do update set
  full_name = excluded.full_name, line1 = excluded.line1, line2 = excluded.line2, city = excluded.city,
  region = excluded.region, postal_code = excluded.postal_code, country = excluded.country, phone = excluded.phone,
  updated_at = now()
returning user_id
