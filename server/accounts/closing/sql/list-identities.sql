-- The identities of other services that are linked to an account, or were.
select provider, subject from social_link where user_id = ${user_id}
