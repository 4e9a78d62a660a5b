-- Who paid before their mail address was proven: kept until it is, for 90 days at most.
create table unclaimed_customer (
  customer_id text not null,
  email text not null,
  created_at timestamptz not null default now(),
  constraint unclaimed_customer_pkey primary key (customer_id)
);
create index unclaimed_customer_email_idx on unclaimed_customer (email);
create index unclaimed_customer_created_idx on unclaimed_customer (created_at);
