-- Returns the primary address of a user.
select full_name, line1, line2, city, region, postal_code, country, phone
from postal_address
where user_id = ${user_id}
