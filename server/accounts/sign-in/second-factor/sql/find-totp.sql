-- Returns an account's secret: in use, or waiting for its first code for at most ${seconds} s.
select encrypted_secret, confirmed_at is not null as is_confirmed
from totp_secret
where user_id = ${user_id} and (confirmed_at is not null or created_at > now() - ${seconds} * interval '1 second')
