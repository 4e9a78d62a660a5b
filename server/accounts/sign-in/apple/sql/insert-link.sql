-- Links an identity. No row if it is linked already, to any account.
insert into social_link (user_id, provider, subject, encrypted_refresh_token)
values (${user_id}, ${provider}, ${subject}, ${encrypted_refresh_token})
on conflict (provider, subject) do nothing
returning user_id
