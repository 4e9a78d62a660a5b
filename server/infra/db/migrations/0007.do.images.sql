-- Photos that a seller uploaded, or that were copied from listings. The files are in the image store, by uid. The uid is
-- random and opens the served sizes to anybody who knows it, as marketplaces must.
create table image (
  user_id integer not null references app_user (id),
  uid text collate "C" not null,
  -- SHA-256 of the original. The same file is stored once per account and rotation.
  original_hash bytea not null,
  -- Degrees clockwise that the seller turned the original.
  rotation smallint not null default 0 check (rotation in (0, 90, 180, 270)),
  -- Media type of the original; served sizes are JPEG.
  type text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- Of all its files.
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null default now(),
  -- Null while its files are being written, and after a crash meanwhile.
  stored_at timestamptz,
  -- Last seen in use by an item.
  used_at timestamptz not null default now(),
  primary key (user_id, uid)
);
create index image_uid_idx on image using hash (uid);
create unique index image_original_key on image (user_id, original_hash, rotation);
create index image_used_idx on image (used_at);

-- Images whose rows are deleted and whose files are not yet. A trigger fills it, so that no deletion leaves files behind.
create table removed_image (
  uid text collate "C" primary key,
  removed_at timestamptz not null default now()
);
