-- The things that a bundle's mail names, as a hash. The same bundle with another thing in it is no copy of the first mail.
alter table sale_mail add column lines_hash text;
