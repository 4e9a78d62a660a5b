-- Keys that eBay signs notifications with, as eBay gave them out. They rarely change, and a server that starts in a flood of
-- made-up key ids has to know the true ones already.
create table ebay_push_key (
  kid text primary key,
  public_key text not null,
  digest text not null check (digest in ('sha1', 'sha256')),
  checked_at timestamptz not null default now()
);
