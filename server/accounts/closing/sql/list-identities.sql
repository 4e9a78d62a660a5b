-- Returns the identities at other services that are or were linked to an account.
select provider, subject from social_link where user_id = ${user_id}
