-- name: findReserved
-- Returns whether one of these contacts belonged to an erased account.
select exists (select from reserved_contact where contact_hash = any(:hashes::bytea[])) as "is_reserved!"

-- name: markUndelivered
-- Marks a sent text message as failed. No row if it was marked already or is no text message.
update outbox_message
set status = 'failed', last_error = :last_error, encrypted_message = null
where id = :id and channel = 'sms' and status = 'sent'
returning id

-- name: reserveContacts
-- Reserves the contacts of an erased account.
insert into reserved_contact (contact_hash) select unnest(:hashes::bytea[]) on conflict do nothing
