-- Links an identity; no row when it is linked already, to whomever.
insert into social_link (user_id, provider, subject, encrypted_refresh_token)
values (${user_id}, ${provider}, ${subject}, ${encrypted_refresh_token})
on conflict (provider, subject) do nothing
returning user_id
