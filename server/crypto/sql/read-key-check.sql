-- What was sealed with the key of this database.
select sealed from secret_key_check
