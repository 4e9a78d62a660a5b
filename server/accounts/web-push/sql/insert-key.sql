-- Keeps a new key pair, unless another process was first.
insert into web_push_key (public_key, encrypted_private_key)
values (${public_key}, ${encrypted_private_key})
on conflict (only_row) do nothing
