-- Deletes rows that name a person by e-mail address or phone number and belong to no account.
with challenges as (
  delete from phone_challenge where phone_number = ${phone_number} or email = ${email}
)
delete from unclaimed_customer where lower(email) = ${email}
