-- Sale mail: mails of marketplaces about sales, the addresses and mailboxes through which they come, and the addresses
-- that they are written to.

-- The address of a seller to which marketplaces' mails are forwarded. Its secret part is stored encrypted, to be shown
-- again, and as a hash, to find the seller.
create table sale_mail_address (
  user_id integer primary key references app_user,
  address_hash bytea not null unique,
  encrypted_address bytea not null,
  created_at timestamptz not null default now()
);

-- An address that a seller's marketplaces write to, beside the address of the account. It counts once its seller has
-- opened a link that was sent there.
create table sale_mail_recipient (
  user_id integer not null references app_user,
  -- In lower case.
  email text not null,
  token_hash bytea,
  expires_at timestamptz,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, email)
);
-- One account at a time proves an address.
create unique index sale_mail_recipient_proof_key on sale_mail_recipient (email) where verified_at is not null;

-- A mailbox that is read by IMAP.
create table sale_mailbox (
  user_id integer primary key references app_user,
  host text not null,
  port integer not null check (port between 1 and 65535),
  tls text not null check (tls in ('implicit', 'starttls', 'none')),
  username text not null,
  encrypted_password bytea not null,
  folder text not null,
  state text not null default 'connecting' check (state in ('connecting', 'waiting', 'failed')),
  last_error text,
  checked_at timestamptz,
  -- The place in the folder: mails above this UID are new, while the folder's UIDVALIDITY is this one.
  uid_validity text,
  last_uid bigint,
  -- Failed connections in a row.
  failures integer not null default 0,
  next_try_at timestamptz not null default now(),
  lease_epoch integer not null default 0,
  lease_until timestamptz
);
create index sale_mailbox_due_idx on sale_mailbox (next_try_at);

-- A mail that came in, and what it did. Bundles have a further row for each item that nobody could name.
create table sale_mail (
  user_id integer not null references app_user,
  uid text collate "C" not null,
  via text not null check (via in ('smtp', 'imap')),
  -- The whole mail, for seven days; only its beginning if it was too large to be read.
  encrypted_mail bytea,
  -- Bytes that arrived.
  size integer not null,
  received_at timestamptz(3) not null default now(),
  -- When its sender wrote it, as signed; otherwise its arrival.
  sent_at timestamptz,
  -- Null until the mail is decided, which waits for name servers.
  outcome text check (outcome in ('held', 'fetched', 'freed', 'ambiguous', 'unmatched', 'ignored', 'refused')),
  reason text check (
    reason in (
      'signature', 'sender', 'form', 'recipient', 'forwarded', 'replayed', 'too_old', 'malformed', 'not_connected'
    )
  ),
  kind text not null default 'other' check (kind in ('sale', 'cancellation', 'other')),
  marketplace text,
  title text,
  price_minor bigint,
  currency text,
  order_id text,
  -- The listing that the mail names.
  listing_id text collate "C",
  -- Items that it holds or frees; candidates while it is ambiguous.
  item_uids text[] not null default '{}',
  -- Listings that it holds, by their ids on the marketplace, so that a cancellation finds them.
  listing_ids text[] not null default '{}',
  -- The code and link with which Gmail confirms a forwarding.
  confirmation jsonb,
  resolved_at timestamptz,
  primary key (user_id, uid),
  check ((outcome = 'refused') = (reason is not null))
);
create index sale_mail_newest_idx on sale_mail (user_id, received_at desc, uid desc);
create index sale_mail_received_idx on sale_mail (received_at);
create index sale_mail_kept_idx on sale_mail (received_at) where encrypted_mail is not null;
