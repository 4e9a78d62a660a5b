-- Made from the migrations and functions by npm run schema. Do not edit.

create table alert (
  user_id integer not null,
  uid text collate "C" not null,
  kind text not null,
  item_uid text collate "C",
  platform text,
  reference text not null default ''::text,
  message text not null,
  data jsonb not null default '{}'::jsonb,
  state text not null default 'open'::text,
  created_at timestamp(3) with time zone not null default now(),
  finished_at timestamp with time zone,
  notified_at timestamp with time zone,
  notify_at timestamp with time zone not null default now(),
  urgency smallint not null generated always as (
CASE kind
    WHEN 'connection_lost'::text THEN 70
    WHEN 'oversell'::text THEN 50
    WHEN 'excess_quantity'::text THEN 50
    WHEN 'sale_unclear'::text THEN 45
    WHEN 'relist_unclear'::text THEN 42
    WHEN 'delist_overdue'::text THEN 40
    WHEN 'orders_unread'::text THEN 35
    WHEN 'sold_while_withdrawn'::text THEN 30
    WHEN 'relist_offer'::text THEN 25
    ELSE 20
END) stored,
  constraint alert_pkey PRIMARY KEY (user_id, uid),
  constraint alert_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint alert_check CHECK (((state = 'open'::text) = (finished_at IS NULL))),
  constraint alert_state_check CHECK ((state = ANY (ARRAY['open'::text, 'resolved'::text, 'dismissed'::text])))
);
CREATE INDEX alert_finished_idx ON public.alert USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX alert_unnotified_idx ON public.alert USING btree (notify_at) WHERE ((state = 'open'::text) AND (notified_at IS NULL));
CREATE INDEX alert_urgent_idx ON public.alert USING btree (user_id, state, urgency DESC, created_at, uid);
CREATE UNIQUE INDEX alert_open_key ON public.alert USING btree (user_id, kind, COALESCE(item_uid, ''::text), reference) WHERE (state = 'open'::text);

create table api_key (
  user_id integer not null,
  id text not null,
  name text not null,
  key_hash bytea not null,
  prefix text not null,
  last4 text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint api_key_hash_key UNIQUE (key_hash),
  constraint api_key_pkey PRIMARY KEY (user_id, id),
  constraint api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table api_usage (
  user_id integer not null,
  key_id text not null,
  day date not null,
  name text not null,
  count bigint not null,
  errors bigint not null,
  constraint api_usage_pkey PRIMARY KEY (user_id, key_id, day),
  constraint api_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX api_usage_day_idx ON public.api_usage USING btree (day);

create table app_user (
  id integer not null generated always as identity,
  username text not null,
  email text,
  email_verified boolean not null default false,
  phone_number text,
  phone_verified boolean not null default false,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  password_hash text,
  state text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  deactivated_at timestamp with time zone,
  secured_at timestamp with time zone,
  erasing_since timestamp with time zone,
  erased_at timestamp with time zone,
  trial_from timestamp with time zone,
  is_owner boolean not null default false,
  constraint app_user_email_key UNIQUE (email),
  constraint app_user_phone_number_key UNIQUE (phone_number),
  constraint app_user_username_key UNIQUE (username),
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_check CHECK ((email = lower(email))),
  constraint app_user_state_check CHECK ((state = ANY (ARRAY['active'::text, 'deactivated'::text])))
);
CREATE INDEX app_user_to_erase_idx ON public.app_user USING btree (deactivated_at) WHERE ((state = 'deactivated'::text) AND (erased_at IS NULL));
CREATE UNIQUE INDEX app_user_owner_key ON public.app_user USING btree (is_owner) WHERE is_owner;

create table audit_log (
  user_id integer not null,
  id bigint not null generated always as identity,
  action text not null,
  outcome text not null,
  key_id text,
  target text,
  address text not null,
  user_agent text not null,
  request_id text not null,
  at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  times integer not null default 1,
  merge_key text,
  expires_at timestamp with time zone not null,
  constraint audit_log_pkey PRIMARY KEY (user_id, id),
  constraint audit_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_expires_idx ON public.audit_log USING btree (expires_at);
CREATE UNIQUE INDEX audit_log_merge_idx ON public.audit_log USING btree (user_id, merge_key);

create table bearer_token (
  user_id integer not null,
  token_hash bytea not null,
  uid text not null default ('ses_'::text || "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 22)),
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  verified_at timestamp with time zone not null default now(),
  method text not null default 'unknown'::text,
  address text,
  user_agent text,
  constraint bearer_token_hash_key UNIQUE (token_hash),
  constraint bearer_token_uid_key UNIQUE (uid),
  constraint bearer_token_pkey PRIMARY KEY (user_id, token_hash),
  constraint bearer_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table bulk_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  position integer not null,
  item_uid text collate "C" not null,
  platform text not null,
  status text not null default 'pending'::text,
  operation_id uuid,
  listing_id text collate "C",
  listing_url text,
  error_code text,
  error_message text,
  verified_at timestamp with time zone,
  options jsonb,
  settled_at timestamp with time zone,
  constraint bulk_item_pkey PRIMARY KEY (user_id, job_uid, "position"),
  constraint bulk_item_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES bulk_job(user_id, uid) ON DELETE CASCADE,
  constraint bulk_item_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'manual'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_item_begun_platform_idx ON public.bulk_item USING btree (user_id, job_uid, platform) WHERE ((status = 'pending'::text) AND (operation_id IS NOT NULL));
CREATE INDEX bulk_item_open_idx ON public.bulk_item USING btree (user_id, job_uid, "position") WHERE (status = 'pending'::text);
CREATE INDEX bulk_item_operation_idx ON public.bulk_item USING btree (user_id, operation_id) WHERE ((operation_id IS NOT NULL) AND (status = 'pending'::text));
CREATE INDEX bulk_item_status_idx ON public.bulk_item USING btree (user_id, job_uid, status, "position");
CREATE INDEX bulk_item_unanswered_idx ON public.bulk_item USING btree (user_id, platform, item_uid) WHERE ((error_code = ANY (ARRAY['choice_required'::text, 'seller_account_required'::text])) AND (settled_at IS NULL));
CREATE INDEX bulk_item_unbegun_idx ON public.bulk_item USING btree (user_id, job_uid, platform, "position") WHERE ((status = 'pending'::text) AND (operation_id IS NULL));

create table bulk_job (
  user_id integer not null,
  uid text collate "C" not null,
  action text not null,
  status text not null default 'pending'::text,
  price text,
  seller_account_uid text,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  price_change jsonb,
  traceparent text,
  item_edit jsonb,
  constraint bulk_job_pkey PRIMARY KEY (user_id, uid),
  constraint bulk_job_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint bulk_job_action_check CHECK ((action = ANY (ARRAY['list'::text, 'delist'::text, 'price'::text, 'edit'::text]))),
  constraint bulk_job_check CHECK (((status = ANY (ARRAY['completed'::text, 'cancelled'::text])) = (completed_at IS NOT NULL))),
  constraint bulk_job_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_job_completed_idx ON public.bulk_job USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX bulk_job_open_idx ON public.bulk_job USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'in_progress'::text]));

create table channel_listing (
  user_id integer not null,
  seller_account_uid text not null,
  listing_id text collate "C" not null,
  item_uid text collate "C" not null,
  platform text not null,
  url text not null,
  state text not null,
  extra boolean not null default false,
  sku text,
  price_minor bigint not null,
  currency text not null,
  listed_at timestamp with time zone,
  for_sale_since timestamp with time zone,
  observed_at timestamp with time zone not null,
  details_due_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  terms jsonb,
  constraint channel_listing_pkey PRIMARY KEY (user_id, seller_account_uid, listing_id),
  constraint channel_listing_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES inventory_item(user_id, uid) ON DELETE CASCADE,
  constraint channel_listing_user_id_seller_account_uid_fkey FOREIGN KEY (user_id, seller_account_uid) REFERENCES seller_account(user_id, uid),
  constraint channel_listing_price_minor_check CHECK ((price_minor >= 0)),
  constraint channel_listing_state_check CHECK ((state = ANY (ARRAY['available'::text, 'reserved'::text, 'sold'::text, 'removed'::text])))
);
CREATE INDEX channel_listing_details_idx ON public.channel_listing USING btree (user_id, seller_account_uid, details_due_at) WHERE (details_due_at IS NOT NULL);
CREATE INDEX channel_listing_item_idx ON public.channel_listing USING btree (user_id, item_uid);
CREATE INDEX channel_listing_platform_idx ON public.channel_listing USING btree (user_id, platform, item_uid);
CREATE STATISTICS public.channel_listing_shop (dependencies) ON user_id, seller_account_uid FROM channel_listing;
CREATE UNIQUE INDEX channel_listing_live_key ON public.channel_listing USING btree (user_id, item_uid, platform) WHERE ((state = ANY (ARRAY['available'::text, 'reserved'::text])) AND (NOT extra));

create table clock_reading (
  id boolean not null default true,
  at timestamp with time zone not null default now(),
  constraint clock_reading_pkey PRIMARY KEY (id),
  constraint clock_reading_id_check CHECK (id)
);

create table connect_ticket (
  user_id integer not null,
  ticket_hash bytea not null,
  platform text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint connect_ticket_hash_key UNIQUE (ticket_hash),
  constraint connect_ticket_pkey PRIMARY KEY (user_id, ticket_hash),
  constraint connect_ticket_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX connect_ticket_expires_idx ON public.connect_ticket USING btree (expires_at);

create table ebay_push_key (
  kid text not null,
  public_key text not null,
  digest text not null,
  checked_at timestamp with time zone not null default now(),
  constraint ebay_push_key_pkey PRIMARY KEY (kid),
  constraint ebay_push_key_digest_check CHECK ((digest = ANY (ARRAY['sha1'::text, 'sha256'::text])))
);

create table event (
  user_id integer not null,
  seq bigint not null,
  uid text collate "C" not null,
  type text not null,
  item_uid text collate "C",
  data jsonb not null,
  created_at timestamp with time zone not null default now(),
  traceparent text,
  constraint event_uid_key UNIQUE (user_id, uid),
  constraint event_pkey PRIMARY KEY (user_id, seq),
  constraint event_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX event_created_idx ON public.event USING btree (created_at);

create table event_counter (
  user_id integer not null,
  last_seq bigint not null default 0,
  constraint event_counter_pkey PRIMARY KEY (user_id),
  constraint event_counter_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table extension_task (
  user_id integer not null,
  uid text collate "C" not null,
  kind text not null,
  status text not null default 'open'::text,
  platform text not null,
  item_uid text collate "C" not null,
  seller_account_uid text,
  reason text not null,
  url text not null,
  listing_id text collate "C",
  price_minor bigint,
  currency text,
  cause text not null,
  cause_ref text,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  report jsonb,
  attempt jsonb,
  constraint extension_task_pkey PRIMARY KEY (user_id, uid),
  constraint extension_task_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint extension_task_check CHECK (((status = 'open'::text) = (finished_at IS NULL))),
  constraint extension_task_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint extension_task_kind_check CHECK ((kind = ANY (ARRAY['list'::text, 'delist'::text, 'cancel_order'::text]))),
  constraint extension_task_price_minor_check CHECK ((price_minor > 0)),
  constraint extension_task_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'dismissed'::text])))
);
CREATE INDEX extension_task_attempt_idx ON public.extension_task USING btree (user_id, uid) WHERE (attempt IS NOT NULL);
CREATE INDEX extension_task_finished_idx ON public.extension_task USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (NOT ((kind = 'list'::text) AND (status = 'completed'::text))));
CREATE INDEX extension_task_listing_idx ON public.extension_task USING btree (user_id, listing_id) WHERE (listing_id IS NOT NULL);
CREATE INDEX extension_task_sale_delist_idx ON public.extension_task USING btree (created_at) WHERE ((kind = 'delist'::text) AND (cause = ANY (ARRAY['sale'::text, 'mark_sold'::text])));
CREATE INDEX extension_task_status_idx ON public.extension_task USING btree (user_id, status, uid);
CREATE UNIQUE INDEX extension_task_list_key ON public.extension_task USING btree (user_id, item_uid, platform) WHERE ((kind = 'list'::text) AND (status = 'open'::text));
CREATE UNIQUE INDEX extension_task_once_key ON public.extension_task USING btree (user_id, platform, kind, listing_id) WHERE ((kind <> 'list'::text) AND (status = 'open'::text));

create table failed_attempt (
  kind text not null,
  subject bytea not null,
  network bytea not null,
  count integer not null,
  allowed boolean not null,
  blocked_until timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint failed_attempt_pkey PRIMARY KEY (kind, subject, network)
);
CREATE INDEX failed_attempt_expires_idx ON public.failed_attempt USING btree (expires_at);

create table idempotent_call (
  user_id integer not null,
  key text not null,
  request_hash bytea not null,
  lease uuid,
  leased_until timestamp with time zone,
  status integer,
  reply jsonb,
  created_at timestamp with time zone not null default now(),
  constraint idempotent_call_pkey PRIMARY KEY (user_id, key),
  constraint idempotent_call_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX idempotent_call_created_idx ON public.idempotent_call USING btree (created_at);

create table image (
  user_id integer not null,
  uid text collate "C" not null,
  original_hash bytea not null,
  rotation smallint not null default 0,
  type text not null,
  width integer not null,
  height integer not null,
  bytes bigint not null,
  created_at timestamp with time zone not null default now(),
  stored_at timestamp with time zone,
  used_at timestamp with time zone not null default now(),
  constraint image_pkey PRIMARY KEY (user_id, uid),
  constraint image_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint image_bytes_check CHECK ((bytes > 0)),
  constraint image_height_check CHECK ((height > 0)),
  constraint image_rotation_check CHECK ((rotation = ANY (ARRAY[0, 90, 180, 270]))),
  constraint image_width_check CHECK ((width > 0))
);
CREATE INDEX image_uid_idx ON public.image USING hash (uid);
CREATE INDEX image_used_idx ON public.image USING btree (used_at);
CREATE UNIQUE INDEX image_original_key ON public.image USING btree (user_id, original_hash, rotation);

create table image_copy (
  user_id integer not null,
  item_uid text collate "C" not null,
  sources text[] not null default '{}'::text[],
  copies text[] not null default '{}'::text[],
  attempts smallint not null default 0,
  due_at timestamp with time zone default now(),
  failure text,
  constraint image_copy_pkey PRIMARY KEY (user_id, item_uid),
  constraint image_copy_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES inventory_item(user_id, uid) ON DELETE CASCADE,
  constraint image_copy_check CHECK ((cardinality(sources) = cardinality(copies)))
);
CREATE INDEX image_copy_due_idx ON public.image_copy USING btree (user_id, due_at) WHERE (due_at IS NOT NULL);

create table import_action (
  user_id integer not null,
  job_uid text collate "C" not null,
  uid text collate "C" not null,
  kind text not null,
  status_filter text,
  item_limit integer,
  skip_conflicts boolean not null default false,
  state text not null default 'waiting'::text,
  created_at timestamp with time zone not null default now(),
  constraint import_action_pkey PRIMARY KEY (user_id, job_uid, uid),
  constraint import_action_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES import_job(user_id, uid) ON DELETE CASCADE,
  constraint import_action_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'retry'::text]))),
  constraint import_action_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text])))
);
CREATE UNIQUE INDEX import_action_waiting_key ON public.import_action USING btree (user_id, job_uid, kind, COALESCE(status_filter, ''::text), COALESCE(item_limit, 0), skip_conflicts) WHERE (state <> 'done'::text);

create table import_batch (
  user_id integer not null,
  job_uid text collate "C" not null,
  batch_id text not null,
  answer jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint import_batch_pkey PRIMARY KEY (user_id, job_uid, batch_id),
  constraint import_batch_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES import_job(user_id, uid) ON DELETE CASCADE
);
CREATE INDEX import_batch_created_idx ON public.import_batch USING btree (created_at);

create table import_count (
  user_id integer not null,
  job_uid text collate "C" not null,
  found integer not null default 0,
  imported integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  conflicted integer not null default 0,
  removed_skipped integer not null default 0,
  removed_failed integer not null default 0,
  removed_imported integer not null default 0,
  constraint import_count_pkey PRIMARY KEY (user_id, job_uid),
  constraint import_count_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES import_job(user_id, uid) ON DELETE CASCADE
);

create table import_item (
  user_id integer not null,
  job_uid text collate "C" not null,
  uid text collate "C" not null,
  external_listing_id text collate "C" not null,
  found jsonb not null,
  observed_at timestamp with time zone not null,
  external_sku text not null,
  listing_title text not null,
  listing_price text,
  status text not null default 'pending'::text,
  conflict_type text,
  conflict_details text,
  conflict_item_uid text,
  error_code text,
  error_message text,
  resolution text,
  answered_sku text,
  is_repeated_skip boolean not null default false,
  created_inventory_item_uid text,
  processed_at timestamp with time zone,
  action_uid text,
  match_certainty text,
  match_reasons text[],
  match_photos text,
  photos_due_at timestamp with time zone,
  photo_tries smallint not null default 0,
  constraint import_item_listing_key UNIQUE (user_id, job_uid, external_listing_id),
  constraint import_item_pkey PRIMARY KEY (user_id, job_uid, uid),
  constraint import_item_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES import_job(user_id, uid) ON DELETE CASCADE,
  constraint import_item_check CHECK (((status = 'conflict'::text) = (NOT (resolution IS DISTINCT FROM 'pending'::text)))),
  constraint import_item_check1 CHECK (((status = 'failed'::text) = (error_code IS NOT NULL))),
  constraint import_item_check2 CHECK (((status <> 'conflict'::text) OR (conflict_type IS NOT NULL))),
  constraint import_item_check3 CHECK (((status = 'pending'::text) = (processed_at IS NULL))),
  constraint import_item_match_certainty_check CHECK ((match_certainty = ANY (ARRAY['certain'::text, 'likely'::text, 'unsure'::text]))),
  constraint import_item_match_photos_check CHECK ((match_photos = ANY (ARRAY['comparing'::text, 'unread'::text]))),
  constraint import_item_resolution_check CHECK ((resolution = ANY (ARRAY['pending'::text, 'link_existing'::text, 'create_new'::text, 'overwrite'::text, 'skip'::text, 'skip_all'::text, 'auto_skip'::text, 'superseded'::text]))),
  constraint import_item_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'imported'::text, 'failed'::text, 'conflict'::text, 'skipped'::text])))
);
CREATE INDEX import_item_action_idx ON public.import_item USING btree (user_id, job_uid, action_uid, uid) WHERE (action_uid IS NOT NULL);
CREATE INDEX import_item_conflict_idx ON public.import_item USING btree (user_id, external_listing_id) WHERE (status = 'conflict'::text);
CREATE INDEX import_item_photos_idx ON public.import_item USING btree (user_id, photos_due_at) WHERE ((status = 'conflict'::text) AND (match_photos = 'comparing'::text));
CREATE INDEX import_item_skip_idx ON public.import_item USING btree (user_id, external_listing_id, uid) WHERE (resolution = ANY (ARRAY['skip'::text, 'skip_all'::text]));
CREATE INDEX import_item_status_idx ON public.import_item USING btree (user_id, job_uid, status, uid);
CREATE STATISTICS public.import_item_job (dependencies) ON user_id, job_uid FROM import_item;

create table import_job (
  user_id integer not null,
  uid text collate "C" not null,
  seller_account_uid text not null,
  platform text not null,
  source text not null,
  status text not null default 'pending'::text,
  states text[] not null,
  auto_start boolean not null default true,
  cursor text,
  discovery_done boolean not null default false,
  expected_total integer,
  found_so_far integer not null default 0,
  decided_so_far integer not null default 0,
  progress real not null default 0,
  lease_epoch bigint not null default 0,
  lease_until timestamp with time zone,
  crashes integer not null default 0,
  failures integer not null default 0,
  wait_reason text,
  retry_at timestamp with time zone,
  preview_requested integer not null default 0,
  preview_ready integer not null default 0,
  error_message text,
  lost_connection boolean not null default false,
  found_bytes bigint not null default 0,
  left_out integer not null default 0,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  touched_at timestamp with time zone not null default now(),
  pruned_at timestamp with time zone,
  read_since timestamp with time zone,
  constraint import_job_pkey PRIMARY KEY (user_id, uid),
  constraint import_job_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint import_job_user_id_seller_account_uid_fkey FOREIGN KEY (user_id, seller_account_uid) REFERENCES seller_account(user_id, uid),
  constraint import_job_check CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text])) = (completed_at IS NOT NULL))),
  constraint import_job_check1 CHECK (((progress = (100)::double precision) = (status = 'completed'::text))),
  constraint import_job_check2 CHECK (((error_message IS NOT NULL) = (status = 'failed'::text))),
  constraint import_job_source_check CHECK ((source = ANY (ARRAY['pull'::text, 'extension'::text]))),
  constraint import_job_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_progress'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX import_job_created_idx ON public.import_job USING btree (user_id, created_at);
CREATE INDEX import_job_newest_idx ON public.import_job USING btree (user_id, created_at DESC, uid DESC);
CREATE INDEX import_job_touched_idx ON public.import_job USING btree (touched_at) WHERE (status = ANY (ARRAY['pending'::text, 'in_progress'::text]));
CREATE INDEX import_job_unpruned_idx ON public.import_job USING btree (completed_at) WHERE ((completed_at IS NOT NULL) AND (pruned_at IS NULL));
CREATE UNIQUE INDEX import_job_live_key ON public.import_job USING btree (user_id, seller_account_uid) WHERE (status = ANY (ARRAY['pending'::text, 'in_progress'::text]));

create table import_preview (
  user_id integer not null,
  job_uid text collate "C" not null,
  generation integer not null,
  item_uid text collate "C" not null,
  status text not null,
  conflict_type text,
  conflict_details text,
  error_code text,
  error_message text,
  constraint import_preview_pkey PRIMARY KEY (user_id, job_uid, generation, item_uid),
  constraint import_preview_user_id_job_uid_fkey FOREIGN KEY (user_id, job_uid) REFERENCES import_job(user_id, uid) ON DELETE CASCADE
);

create table inventory_check (
  user_id integer not null,
  checked_at timestamp with time zone not null,
  constraint inventory_check_pkey PRIMARY KEY (user_id),
  constraint inventory_check_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table inventory_fault (
  user_id integer not null,
  uid text collate "C" not null,
  kind text not null,
  item_uid text collate "C" not null,
  reference text not null default ''::text,
  found_at timestamp with time zone not null default now(),
  dismissed_facts text,
  constraint inventory_fault_once_key UNIQUE (user_id, item_uid, kind, reference),
  constraint inventory_fault_pkey PRIMARY KEY (user_id, uid),
  constraint inventory_fault_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES inventory_item(user_id, uid) ON DELETE CASCADE,
  constraint inventory_fault_kind_check CHECK ((kind = ANY (ARRAY['sold_live'::text, 'listed_twice'::text, 'price_differs'::text, 'photos_missing'::text])))
);

create table inventory_history (
  user_id integer not null,
  item_uid text collate "C" not null,
  version integer not null,
  at timestamp with time zone not null default now(),
  actor text not null,
  from_state text,
  to_state text not null,
  reason text not null,
  reference text,
  changes jsonb,
  witness text,
  constraint inventory_history_pkey PRIMARY KEY (user_id, item_uid, version),
  constraint inventory_history_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES inventory_item(user_id, uid) ON DELETE CASCADE
);

create table inventory_item (
  user_id integer not null,
  uid text collate "C" not null,
  sku text,
  product_id text not null,
  offer_id text not null,
  title text not null,
  description text not null default ''::text,
  attributes jsonb not null default '{}'::jsonb,
  images text[] not null,
  condition_label text not null,
  condition_notes text not null default ''::text,
  inspected_at date not null,
  evidence_urls text[] not null default '{}'::text[],
  price_minor bigint not null,
  currency text not null,
  state text not null,
  observed_at timestamp with time zone not null,
  seller_url text not null,
  shipping_policy_url text not null,
  returns_policy_url text not null,
  aliases text[] not null default '{}'::text[],
  redirect_uid text collate "C",
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  search_words tsvector not null default ''::tsvector,
  file_row text,
  constraint inventory_item_pkey PRIMARY KEY (user_id, uid),
  constraint inventory_item_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint inventory_item_condition_label_check CHECK ((condition_label <> ''::text)),
  constraint inventory_item_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint inventory_item_images_check CHECK ((cardinality(images) > 0)),
  constraint inventory_item_offer_id_check CHECK ((offer_id <> ''::text)),
  constraint inventory_item_price_minor_check CHECK ((price_minor >= 0)),
  constraint inventory_item_product_id_check CHECK ((product_id <> ''::text)),
  constraint inventory_item_state_check CHECK ((state = ANY (ARRAY['available'::text, 'reserved'::text, 'sold'::text, 'withdrawn'::text]))),
  constraint inventory_item_title_check CHECK ((title <> ''::text)),
  constraint inventory_item_version_check CHECK ((version > 0))
);
CREATE INDEX inventory_item_product_idx ON public.inventory_item USING btree (user_id, product_id, uid);
CREATE INDEX inventory_item_search_idx ON public.inventory_item USING gin (user_id, search_words);
CREATE INDEX inventory_item_state_idx ON public.inventory_item USING btree (user_id, state, uid);
CREATE INDEX inventory_item_uid_idx ON public.inventory_item USING hash (uid);
CREATE INDEX inventory_item_updated_idx ON public.inventory_item USING btree (user_id, updated_at);
CREATE UNIQUE INDEX inventory_item_file_row_key ON public.inventory_item USING btree (user_id, file_row) WHERE (file_row IS NOT NULL);
CREATE UNIQUE INDEX inventory_item_sku_key ON public.inventory_item USING btree (user_id, sku) WHERE (sku IS NOT NULL);

create table invitation (
  token_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint invitation_pkey PRIMARY KEY (token_hash)
);

create table known_device (
  user_id integer not null,
  device bytea not null,
  seen_at timestamp with time zone not null default now(),
  constraint known_device_pkey PRIMARY KEY (user_id, device),
  constraint known_device_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX known_device_seen_idx ON public.known_device USING btree (seen_at);

create table known_network (
  user_id integer not null,
  network bytea not null,
  seen_at timestamp with time zone not null default now(),
  constraint known_network_pkey PRIMARY KEY (user_id, network),
  constraint known_network_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX known_network_seen_idx ON public.known_network USING btree (seen_at);

create table last_backup (
  id boolean not null default true,
  finished_at timestamp with time zone not null default now(),
  constraint last_backup_pkey PRIMARY KEY (id),
  constraint last_backup_id_check CHECK (id)
);

create table listing_defaults (
  user_id integer not null,
  platform text not null,
  options jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint listing_defaults_pkey PRIMARY KEY (user_id, platform),
  constraint listing_defaults_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table listing_difference (
  user_id integer not null,
  uid text collate "C" not null,
  seller_account_uid text not null,
  listing_id text collate "C" not null,
  field text not null,
  theirs jsonb not null,
  theirs_hash text not null,
  state text not null default 'open'::text,
  noticed_at timestamp with time zone not null,
  sent text,
  constraint listing_difference_pkey PRIMARY KEY (user_id, seller_account_uid, listing_id, field),
  constraint listing_difference_user_id_seller_account_uid_listing_id_fkey FOREIGN KEY (user_id, seller_account_uid, listing_id) REFERENCES channel_listing(user_id, seller_account_uid, listing_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint listing_difference_field_check CHECK ((field = ANY (ARRAY['title'::text, 'description'::text, 'price'::text, 'photos'::text, 'quantity'::text, 'condition'::text, 'category'::text, 'sku'::text, 'details'::text]))),
  constraint listing_difference_state_check CHECK ((state = ANY (ARRAY['open'::text, 'ignored'::text, 'same'::text])))
);
CREATE INDEX listing_difference_state_idx ON public.listing_difference USING btree (user_id, state, noticed_at DESC, uid DESC);
CREATE UNIQUE INDEX listing_difference_uid_key ON public.listing_difference USING btree (user_id, uid);

create table listing_operation (
  user_id integer not null,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  item_uid text collate "C" not null,
  platform text not null,
  seller_account_uid text not null,
  listing_id text collate "C",
  listing_url text,
  external_key text,
  price_minor bigint,
  currency text,
  options jsonb not null default '{}'::jsonb,
  options_to_remember jsonb,
  state text not null default 'open'::text,
  cause text not null,
  cause_ref text,
  priority smallint not null default 0,
  attempts integer not null default 0,
  failures integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  lease_epoch integer not null default 0,
  lease_until timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  error_code text,
  error_message text,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  accepted_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  options_chosen_at timestamp with time zone,
  sent_at timestamp with time zone,
  alerted_at timestamp with time zone,
  finished_at timestamp with time zone,
  fields text[],
  content jsonb,
  traceparent text,
  warnings text[],
  constraint listing_operation_pkey PRIMARY KEY (user_id, id),
  constraint listing_operation_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint listing_operation_check CHECK (((kind <> 'delist'::text) OR (listing_id IS NOT NULL))),
  constraint listing_operation_check1 CHECK (((kind <> 'list'::text) OR (external_key IS NOT NULL))),
  constraint listing_operation_check2 CHECK (((state = 'open'::text) = (finished_at IS NULL))),
  constraint listing_operation_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint listing_operation_fields_check CHECK ((fields <@ ARRAY['title'::text, 'description'::text, 'images'::text])),
  constraint listing_operation_kind_check CHECK ((kind = ANY (ARRAY['list'::text, 'delist'::text, 'update'::text]))),
  constraint listing_operation_price_minor_check CHECK ((price_minor > 0)),
  constraint listing_operation_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX listing_operation_confirmed_idx ON public.listing_operation USING btree (confirmed_at) WHERE ((kind = 'delist'::text) AND (confirmed_at IS NOT NULL));
CREATE INDEX listing_operation_due_idx ON public.listing_operation USING btree ((
CASE
    WHEN ((kind = 'delist'::text) OR (cancel_requested_at IS NOT NULL)) THEN 'down'::text
    ELSE platform
END), priority DESC, next_attempt_at) WHERE (state = 'open'::text);
CREATE INDEX listing_operation_finished_idx ON public.listing_operation USING btree (finished_at) WHERE ((kind <> 'list'::text) AND (finished_at IS NOT NULL));
CREATE INDEX listing_operation_item_idx ON public.listing_operation USING btree (user_id, item_uid, created_at DESC);
CREATE INDEX listing_operation_key_idx ON public.listing_operation USING btree (user_id, external_key) WHERE (kind = 'list'::text);
CREATE INDEX listing_operation_listing_idx ON public.listing_operation USING btree (user_id, listing_id) WHERE (kind = 'list'::text);
CREATE INDEX listing_operation_sale_delist_idx ON public.listing_operation USING btree (created_at) WHERE ((kind = 'delist'::text) AND (cause = ANY (ARRAY['sale'::text, 'mark_sold'::text])));
CREATE UNIQUE INDEX listing_operation_delist_key ON public.listing_operation USING btree (user_id, seller_account_uid, listing_id) WHERE ((kind = 'delist'::text) AND (state = 'open'::text));
CREATE UNIQUE INDEX listing_operation_list_key ON public.listing_operation USING btree (user_id, item_uid, platform) WHERE ((kind = 'list'::text) AND (state = 'open'::text));

create table mailbox_token (
  user_id integer not null,
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mailbox_token_hash_key UNIQUE (token_hash),
  constraint mailbox_token_pkey PRIMARY KEY (user_id, token_hash),
  constraint mailbox_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint mailbox_token_purpose_check CHECK ((purpose = ANY (ARRAY['reset'::text, 'verify'::text])))
);
CREATE INDEX mailbox_token_expires_idx ON public.mailbox_token USING btree (expires_at);

create table marketplace_order (
  user_id integer not null,
  uid text collate "C" not null,
  platform text not null,
  seller_account_uid text,
  external_order_id text collate "C" not null,
  source text not null,
  status text not null,
  ordered_at timestamp with time zone not null,
  modified_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint marketplace_order_external_key UNIQUE (user_id, platform, external_order_id),
  constraint marketplace_order_pkey PRIMARY KEY (user_id, uid),
  constraint marketplace_order_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint marketplace_order_check CHECK (((platform = 'outside'::text) = (source = 'outside'::text))),
  constraint marketplace_order_source_check CHECK ((source = ANY (ARRAY['platform'::text, 'scraped'::text, 'outside'::text]))),
  constraint marketplace_order_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'cancelled'::text])))
);
CREATE INDEX marketplace_order_newest_idx ON public.marketplace_order USING btree (user_id, ordered_at DESC, uid DESC);

create table match_item (
  user_id integer not null,
  item_uid text collate "C" not null,
  version integer not null,
  constraint match_item_pkey PRIMARY KEY (user_id, item_uid),
  constraint match_item_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES inventory_item(user_id, uid) ON DELETE CASCADE
);

create table match_word (
  user_id integer not null,
  word text collate "C" not null,
  item_uid text collate "C" not null,
  constraint match_word_pkey PRIMARY KEY (user_id, word, item_uid),
  constraint match_word_user_id_item_uid_fkey FOREIGN KEY (user_id, item_uid) REFERENCES match_item(user_id, item_uid) ON DELETE CASCADE
);
CREATE INDEX match_word_item_idx ON public.match_word USING btree (user_id, item_uid);

create table oauth_state (
  user_id integer not null,
  state_hash bytea not null,
  platform text not null,
  browser_hash bytea not null,
  encrypted_code_verifier bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_state_hash_key UNIQUE (state_hash),
  constraint oauth_state_pkey PRIMARY KEY (user_id, state_hash),
  constraint oauth_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX oauth_state_expires_idx ON public.oauth_state USING btree (expires_at);

create table operator_action (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  operator text not null,
  command text not null,
  subject text not null,
  constraint operator_action_pkey PRIMARY KEY (id)
);
CREATE INDEX operator_action_at_idx ON public.operator_action USING btree (at);

create table order_budget (
  platform text not null,
  calls double precision not null,
  largest double precision not null,
  per_second double precision not null,
  updated_at timestamp with time zone not null default now(),
  constraint order_budget_pkey PRIMARY KEY (platform)
);

create table order_fetch_request (
  user_id integer not null,
  platform text not null,
  external_order_id text collate "C" not null,
  external_line_id text collate "C" not null,
  seller_account_uid text not null,
  times integer not null default 1,
  received_at timestamp with time zone not null default now(),
  handled_at timestamp with time zone,
  unknown boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  traceparent text,
  constraint order_fetch_request_pkey PRIMARY KEY (user_id, platform, external_order_id, external_line_id, seller_account_uid),
  constraint order_fetch_request_user_id_seller_account_uid_fkey FOREIGN KEY (user_id, seller_account_uid) REFERENCES seller_account(user_id, uid)
);
CREATE INDEX order_fetch_request_due_idx ON public.order_fetch_request USING btree (next_attempt_at) WHERE (handled_at IS NULL);
CREATE INDEX order_fetch_request_handled_idx ON public.order_fetch_request USING btree (handled_at) WHERE (handled_at IS NOT NULL);

create table order_line (
  user_id integer not null,
  order_uid text collate "C" not null,
  external_line_id text collate "C" not null,
  listing_id text collate "C" not null,
  sku text,
  quantity integer not null,
  price_minor bigint not null,
  currency text not null,
  item_uid text collate "C",
  matched_by text,
  status text not null,
  state text not null,
  modified_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  check_listing_at timestamp with time zone,
  constraint order_line_pkey PRIMARY KEY (user_id, order_uid, external_line_id),
  constraint order_line_user_id_order_uid_fkey FOREIGN KEY (user_id, order_uid) REFERENCES marketplace_order(user_id, uid) ON DELETE CASCADE,
  constraint order_line_check CHECK (((state <> ALL (ARRAY['held'::text, 'sold'::text, 'oversell'::text])) OR (item_uid IS NOT NULL))),
  constraint order_line_check1 CHECK (((item_uid IS NULL) = (matched_by IS NULL))),
  constraint order_line_check2 CHECK (((status = 'cancelled'::text) = (state = 'cancelled'::text))),
  constraint order_line_matched_by_check CHECK ((matched_by = ANY (ARRAY['listing'::text, 'sku'::text, 'title'::text, 'seller'::text]))),
  constraint order_line_price_minor_check CHECK ((price_minor >= 0)),
  constraint order_line_quantity_check CHECK ((quantity > 0)),
  constraint order_line_state_check CHECK ((state = ANY (ARRAY['held'::text, 'sold'::text, 'oversell'::text, 'cancelled'::text, 'unmatched'::text]))),
  constraint order_line_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'cancelled'::text])))
);
CREATE INDEX order_line_check_idx ON public.order_line USING btree (check_listing_at) WHERE (check_listing_at IS NOT NULL);
CREATE INDEX order_line_item_idx ON public.order_line USING btree (user_id, item_uid) WHERE (item_uid IS NOT NULL);
CREATE INDEX order_line_needs_seller_idx ON public.order_line USING btree (user_id, state, order_uid) WHERE (state = ANY (ARRAY['unmatched'::text, 'oversell'::text]));
CREATE INDEX order_line_recorded_idx ON public.order_line USING btree (recorded_at);
CREATE INDEX order_line_unmatched_idx ON public.order_line USING btree (recorded_at) WHERE (state = 'unmatched'::text);
CREATE INDEX order_line_unmatched_turn_idx ON public.order_line USING btree (EXTRACT(minute FROM (recorded_at AT TIME ZONE 'utc'::text))) WHERE (state = 'unmatched'::text);
CREATE UNIQUE INDEX order_line_holder_key ON public.order_line USING btree (user_id, item_uid) WHERE (state = ANY (ARRAY['held'::text, 'sold'::text]));

create table order_sync (
  user_id integer not null,
  seller_account_uid text not null,
  platform text not null,
  read_until timestamp with time zone,
  overlap_read_at timestamp with time zone,
  next_read_at timestamp with time zone not null default now(),
  interval_seconds integer not null default 60,
  lease_until timestamp with time zone,
  lease_epoch integer not null default 0,
  last_success_at timestamp with time zone,
  failures integer not null default 0,
  error_message text,
  last_order_at timestamp with time zone,
  last_push_at timestamp with time zone,
  last_missed_push_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  read_again_at timestamp with time zone not null default now(),
  read_again_cursor text,
  all_read_again_at timestamp with time zone not null default now(),
  constraint order_sync_pkey PRIMARY KEY (user_id, seller_account_uid),
  constraint order_sync_user_id_seller_account_uid_fkey FOREIGN KEY (user_id, seller_account_uid) REFERENCES seller_account(user_id, uid)
);
CREATE INDEX order_sync_due_idx ON public.order_sync USING btree (next_read_at);
CREATE INDEX order_sync_platform_idx ON public.order_sync USING btree (platform);

create table outbox_message (
  id text not null,
  user_id integer,
  channel text not null,
  template text not null,
  encrypted_message bytea,
  dedupe_key text,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  claimed_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint outbox_message_dedupe_key UNIQUE (dedupe_key),
  constraint outbox_message_pkey PRIMARY KEY (id),
  constraint outbox_message_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint outbox_message_channel_check CHECK ((channel = ANY (ARRAY['mail'::text, 'sms'::text]))),
  constraint outbox_message_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX outbox_message_created_idx ON public.outbox_message USING btree (created_at);
CREATE INDEX outbox_message_unsent_idx ON public.outbox_message USING btree (status) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text]));

create table passkey (
  user_id integer not null,
  uid text not null default ('psk_'::text || "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 22)),
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkey_credential_key UNIQUE (credential_id),
  constraint passkey_pkey PRIMARY KEY (user_id, uid),
  constraint passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table passkey_challenge (
  token_hash bytea not null,
  user_id integer,
  purpose text not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_pkey PRIMARY KEY (token_hash),
  constraint passkey_challenge_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint passkey_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'authenticate'::text])))
);
CREATE INDEX passkey_challenge_expires_idx ON public.passkey_challenge USING btree (expires_at);
CREATE INDEX passkey_challenge_user_idx ON public.passkey_challenge USING btree (user_id);

create table phone_challenge (
  token_hash bytea not null,
  purpose text not null,
  phone_number text not null,
  code_mac bytea not null,
  tries integer not null default 0,
  email text,
  password_hash text,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  invitation_hash bytea,
  constraint phone_challenge_pkey PRIMARY KEY (token_hash),
  constraint phone_challenge_purpose_check CHECK ((purpose = ANY (ARRAY['signup'::text, 'signin'::text])))
);
CREATE INDEX phone_challenge_expires_idx ON public.phone_challenge USING btree (expires_at);
CREATE INDEX phone_challenge_phone_idx ON public.phone_challenge USING btree (phone_number);

create table photo_hash (
  user_id integer not null,
  url_hash bytea not null,
  hash bytea,
  read_at timestamp with time zone not null default now(),
  constraint photo_hash_pkey PRIMARY KEY (user_id, url_hash),
  constraint photo_hash_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX photo_hash_read_idx ON public.photo_hash USING btree (read_at);

create table platform_pause (
  platform text not null,
  paused_at timestamp with time zone not null default now(),
  constraint platform_pause_pkey PRIMARY KEY (platform),
  constraint platform_pause_platform_check CHECK ((platform = ANY (ARRAY['ebay'::text, 'etsy'::text])))
);

create table platform_quota (
  platform text not null,
  app text not null,
  reported_per_second integer,
  reported_per_day integer,
  level double precision not null default 'Infinity'::double precision,
  level_at timestamp with time zone not null default now(),
  blocked_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  refusals integer not null default 0,
  refused_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  by_shop boolean not null default false,
  constraint platform_quota_pkey PRIMARY KEY (platform, app)
);

create table platform_quota_shop (
  platform text not null,
  app text not null,
  shop text not null,
  level double precision not null default 'Infinity'::double precision,
  level_at timestamp with time zone not null default now(),
  blocked_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  next_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  asked_at timestamp with time zone not null default now(),
  constraint platform_quota_shop_pkey PRIMARY KEY (platform, app, shop)
);
CREATE INDEX platform_quota_shop_asked_idx ON public.platform_quota_shop USING btree (platform, app, asked_at);

create table platform_quota_slot (
  platform text not null,
  app text not null,
  shop text not null,
  slot timestamp with time zone not null,
  used integer not null,
  priority text not null default ''::text,
  constraint platform_quota_slot_pkey PRIMARY KEY (platform, app, shop, slot, priority)
);

create table postal_address (
  user_id integer not null,
  full_name text not null,
  line1 text not null,
  line2 text,
  city text not null,
  region text,
  postal_code text not null,
  country text not null,
  phone text,
  updated_at timestamp with time zone not null default now(),
  constraint postal_address_pkey PRIMARY KEY (user_id),
  constraint postal_address_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint postal_address_country_check CHECK ((country ~ '^[A-Z]{2}$'::text))
);

create table push_receipt (
  platform text not null,
  message_id text collate "C" not null,
  topic text not null,
  received_at timestamp with time zone not null default now(),
  subject_hash bytea,
  erased jsonb,
  constraint push_receipt_pkey PRIMARY KEY (platform, message_id)
);
CREATE INDEX push_receipt_received_idx ON public.push_receipt USING btree (received_at) WHERE (subject_hash IS NULL);

create table recent_event (
  kind text not null,
  subject bytea not null,
  times timestamp with time zone[] not null,
  allowed boolean not null,
  expires_at timestamp with time zone not null,
  constraint recent_event_pkey PRIMARY KEY (kind, subject)
);
CREATE INDEX recent_event_expires_idx ON public.recent_event USING btree (expires_at);

create table recovery_code (
  user_id integer not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table removed_image (
  uid text collate "C" not null,
  removed_at timestamp with time zone not null default now(),
  user_id integer not null default 0,
  constraint removed_image_pkey PRIMARY KEY (user_id, uid)
);

create table request_count (
  subject text not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint request_count_pkey PRIMARY KEY (subject)
);
CREATE INDEX request_count_ends_idx ON public.request_count USING btree (ends_at);

create table reserved_contact (
  contact_hash bytea not null,
  reserved_at timestamp with time zone not null default now(),
  constraint reserved_contact_pkey PRIMARY KEY (contact_hash)
);

create table sale (
  user_id integer not null,
  id bigint not null generated always as identity,
  item_uid text collate "C" not null,
  order_uid text collate "C" not null,
  external_line_id text collate "C" not null,
  platform text not null,
  sold_at timestamp(3) with time zone not null default now(),
  cancelled boolean not null default false,
  cancelled_at timestamp with time zone,
  fee_minor bigint,
  shipping_minor bigint,
  cost_minor bigint,
  pushed_at timestamp with time zone,
  constraint sale_pkey PRIMARY KEY (user_id, id),
  constraint sale_user_id_order_uid_external_line_id_fkey FOREIGN KEY (user_id, order_uid, external_line_id) REFERENCES order_line(user_id, order_uid, external_line_id) ON UPDATE CASCADE,
  constraint sale_check CHECK ((cancelled = (cancelled_at IS NOT NULL))),
  constraint sale_cost_minor_check CHECK ((cost_minor >= 0)),
  constraint sale_fee_minor_check CHECK ((fee_minor >= 0)),
  constraint sale_shipping_minor_check CHECK ((shipping_minor >= 0))
);
CREATE INDEX sale_line_idx ON public.sale USING btree (user_id, order_uid, external_line_id);
CREATE INDEX sale_newest_idx ON public.sale USING btree (user_id, sold_at DESC, id DESC) WHERE (NOT cancelled);
CREATE INDEX sale_unpushed_idx ON public.sale USING btree (id) WHERE (pushed_at IS NULL);
CREATE UNIQUE INDEX sale_live_key ON public.sale USING btree (user_id, item_uid) WHERE (NOT cancelled);

create table sale_mail (
  user_id integer not null,
  uid text collate "C" not null,
  via text not null,
  encrypted_mail bytea,
  size integer not null,
  received_at timestamp(3) with time zone not null default now(),
  sent_at timestamp with time zone,
  outcome text,
  reason text,
  kind text not null default 'other'::text,
  marketplace text,
  title text,
  price_minor bigint,
  currency text,
  order_id text,
  listing_id text collate "C",
  item_uids text[] not null default '{}'::text[],
  listing_ids text[] not null default '{}'::text[],
  confirmation jsonb,
  resolved_at timestamp with time zone,
  lines_hash text,
  constraint sale_mail_pkey PRIMARY KEY (user_id, uid),
  constraint sale_mail_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint sale_mail_check CHECK (((outcome = 'refused'::text) = (reason IS NOT NULL))),
  constraint sale_mail_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'cancellation'::text, 'other'::text]))),
  constraint sale_mail_outcome_check CHECK ((outcome = ANY (ARRAY['held'::text, 'fetched'::text, 'freed'::text, 'ambiguous'::text, 'unmatched'::text, 'ignored'::text, 'refused'::text]))),
  constraint sale_mail_reason_check CHECK ((reason = ANY (ARRAY['signature'::text, 'sender'::text, 'form'::text, 'recipient'::text, 'forwarded'::text, 'replayed'::text, 'too_old'::text, 'malformed'::text, 'not_connected'::text]))),
  constraint sale_mail_via_check CHECK ((via = ANY (ARRAY['smtp'::text, 'imap'::text])))
);
CREATE INDEX sale_mail_kept_idx ON public.sale_mail USING btree (received_at) WHERE (encrypted_mail IS NOT NULL);
CREATE INDEX sale_mail_newest_idx ON public.sale_mail USING btree (user_id, received_at DESC, uid DESC);
CREATE INDEX sale_mail_received_idx ON public.sale_mail USING btree (received_at);

create table sale_mail_address (
  user_id integer not null,
  address_hash bytea not null,
  encrypted_address bytea not null,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  constraint sale_mail_address_address_hash_key UNIQUE (address_hash),
  constraint sale_mail_address_pkey PRIMARY KEY (user_id),
  constraint sale_mail_address_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table sale_mail_recipient (
  user_id integer not null,
  email text not null,
  token_hash bytea,
  expires_at timestamp with time zone,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint sale_mail_recipient_pkey PRIMARY KEY (user_id, email),
  constraint sale_mail_recipient_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE UNIQUE INDEX sale_mail_recipient_proof_key ON public.sale_mail_recipient USING btree (email) WHERE (verified_at IS NOT NULL);

create table sale_mailbox (
  user_id integer not null,
  host text not null,
  port integer not null,
  tls text not null,
  username text not null,
  encrypted_password bytea not null,
  folder text not null,
  state text not null default 'connecting'::text,
  last_error text,
  checked_at timestamp with time zone,
  uid_validity text,
  last_uid bigint,
  failures integer not null default 0,
  next_try_at timestamp with time zone not null default now(),
  lease_epoch integer not null default 0,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint sale_mailbox_pkey PRIMARY KEY (user_id),
  constraint sale_mailbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint sale_mailbox_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint sale_mailbox_state_check CHECK ((state = ANY (ARRAY['connecting'::text, 'waiting'::text, 'failed'::text]))),
  constraint sale_mailbox_tls_check CHECK ((tls = ANY (ARRAY['implicit'::text, 'starttls'::text, 'none'::text])))
);
CREATE INDEX sale_mailbox_due_idx ON public.sale_mailbox USING btree (next_try_at);

create table saved_view (
  user_id integer not null,
  uid text collate "C" not null,
  name text not null,
  view jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint saved_view_pkey PRIMARY KEY (user_id, uid),
  constraint saved_view_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE UNIQUE INDEX saved_view_name_key ON public.saved_view USING btree (user_id, name);

create table schema_compatibility (
  only_row boolean not null default true,
  oldest_build integer not null,
  routines_checksum text,
  constraint schema_compatibility_pkey PRIMARY KEY (only_row),
  constraint schema_compatibility_only_row_check CHECK (only_row)
);

create table secret_key (
  key_id bytea not null,
  encrypted_check bytea not null,
  encrypted_hash_key bytea,
  adopted_at timestamp with time zone not null default clock_timestamp(),
  constraint secret_key_pkey PRIMARY KEY (key_id)
);

create table seller_account (
  user_id integer not null,
  uid text not null,
  platform text not null,
  external_id text not null,
  external_name text not null,
  url text not null,
  status text not null,
  connected_at timestamp with time zone not null default now(),
  last_synced_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  last_checked_at timestamp with time zone,
  encrypted_access_token bytea,
  encrypted_refresh_token bytea,
  access_expires_at timestamp with time zone,
  refresh_expires_at timestamp with time zone,
  token_epoch integer not null default 0,
  reconciled_at timestamp with time zone,
  listings_changed_at timestamp with time zone,
  unpaid_read_at timestamp with time zone,
  sale_notices text,
  notices_checked_at timestamp with time zone,
  erasing_for text,
  currency text,
  on_vacation boolean not null default false,
  read_listing_ids text[] not null default '{}'::text[],
  constraint seller_account_own_shop_key UNIQUE (user_id, platform, external_id),
  constraint seller_account_pkey PRIMARY KEY (user_id, uid),
  constraint seller_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint seller_account_check CHECK (((status <> 'revoked'::text) OR ((encrypted_access_token IS NULL) AND (encrypted_refresh_token IS NULL)))),
  constraint seller_account_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint seller_account_sale_notices_check CHECK ((sale_notices = ANY (ARRAY['subscribed'::text, 'consent_needed'::text]))),
  constraint seller_account_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'reconnect_required'::text, 'revoked'::text])))
);
CREATE INDEX seller_account_check_idx ON public.seller_account USING btree (last_checked_at NULLS FIRST) WHERE ((status <> 'revoked'::text) AND (encrypted_refresh_token IS NOT NULL));
CREATE INDEX seller_account_erasing_idx ON public.seller_account USING btree (uid) WHERE (erasing_for IS NOT NULL);
CREATE INDEX seller_account_name_idx ON public.seller_account USING btree (platform, external_name) WHERE (status <> 'revoked'::text);
CREATE INDEX seller_account_notices_idx ON public.seller_account USING btree (notices_checked_at NULLS FIRST) WHERE ((platform = 'ebay'::text) AND (status = 'connected'::text));
CREATE INDEX seller_account_reconcile_idx ON public.seller_account USING btree (reconciled_at NULLS FIRST) WHERE (status = 'connected'::text);
CREATE INDEX seller_account_shop_idx ON public.seller_account USING btree (platform, external_id) WHERE (status <> 'revoked'::text);
CREATE UNIQUE INDEX seller_account_verified_shop_key ON public.seller_account USING btree (platform, external_id) WHERE ((status <> 'revoked'::text) AND (platform = ANY (ARRAY['ebay'::text, 'etsy'::text])));

create table seller_settings (
  user_id integer not null,
  shipping_policy_url text,
  returns_policy_url text,
  default_currency text,
  sku_required boolean not null default false,
  alert_mails text[],
  updated_at timestamp with time zone not null default now(),
  price_rules jsonb not null default '{}'::jsonb,
  push_kinds text[],
  units text,
  texts jsonb not null default '[]'::jsonb,
  constraint seller_settings_pkey PRIMARY KEY (user_id),
  constraint seller_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint seller_settings_default_currency_check CHECK ((default_currency ~ '^[A-Z]{3}$'::text)),
  constraint seller_settings_units_check CHECK ((units = ANY (ARRAY['us'::text, 'metric'::text])))
);

create table shipment (
  user_id integer not null,
  order_uid text collate "C" not null,
  state text not null,
  ship_by timestamp(3) with time zone,
  buyer_note text,
  carrier text,
  tracking_number text,
  shipped_at timestamp(3) with time zone,
  shipped_by text,
  send_after timestamp with time zone,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  failures integer not null default 0,
  error_code text,
  error_message text,
  lease_epoch integer not null default 0,
  lease_until timestamp with time zone,
  constraint shipment_pkey PRIMARY KEY (user_id, order_uid),
  constraint shipment_user_id_order_uid_fkey FOREIGN KEY (user_id, order_uid) REFERENCES marketplace_order(user_id, uid) ON DELETE CASCADE,
  constraint shipment_check CHECK ((((state = 'to_ship'::text) = (shipped_at IS NULL)) AND ((shipped_at IS NULL) = (shipped_by IS NULL)))),
  constraint shipment_check1 CHECK (((carrier IS NULL) OR (tracking_number IS NOT NULL))),
  constraint shipment_check2 CHECK (((state <> 'shipped'::text) OR (buyer_note IS NULL))),
  constraint shipment_shipped_by_check CHECK ((shipped_by = ANY (ARRAY['seller'::text, 'marketplace'::text]))),
  constraint shipment_state_check CHECK ((state = ANY (ARRAY['to_ship'::text, 'queued'::text, 'shipped'::text])))
);
CREATE INDEX shipment_noted_idx ON public.shipment USING btree (order_uid) WHERE (buyer_note IS NOT NULL);
CREATE INDEX shipment_open_idx ON public.shipment USING btree (user_id, order_uid) WHERE (state = 'to_ship'::text);
CREATE INDEX shipment_sent_idx ON public.shipment USING btree (user_id, shipped_at DESC, order_uid DESC) WHERE (state <> 'to_ship'::text);

create table signin_step (
  user_id integer not null,
  token_hash bytea not null,
  tries integer not null default 0,
  used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint signin_step_token_key UNIQUE (token_hash),
  constraint signin_step_pkey PRIMARY KEY (user_id, token_hash),
  constraint signin_step_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX signin_step_expires_idx ON public.signin_step USING btree (expires_at);

create table social_link (
  user_id integer not null,
  provider text not null,
  subject text not null,
  encrypted_refresh_token bytea,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint social_link_identity_key UNIQUE (provider, subject),
  constraint social_link_pkey PRIMARY KEY (user_id, provider, subject),
  constraint social_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint social_link_provider_check CHECK ((provider = ANY (ARRAY['apple'::text, 'ebay'::text, 'etsy'::text])))
);

create table sold_report (
  user_id integer not null,
  platform text not null,
  listing_id text collate "C" not null,
  seen_at timestamp with time zone not null default now(),
  constraint sold_report_pkey PRIMARY KEY (user_id, platform, listing_id),
  constraint sold_report_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX sold_report_seen_idx ON public.sold_report USING btree (seen_at);

create table stripe_checkout (
  user_id integer not null,
  attempt text not null,
  customer_id text,
  session_id text,
  constraint stripe_checkout_pkey PRIMARY KEY (user_id),
  constraint stripe_checkout_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table stripe_customer (
  user_id integer not null,
  customer_id text not null,
  constraint stripe_customer_key UNIQUE (customer_id),
  constraint stripe_customer_pkey PRIMARY KEY (user_id, customer_id),
  constraint stripe_customer_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table stripe_subscription (
  customer_id text not null,
  subscription_id text not null,
  status text not null,
  ends_at timestamp with time zone not null,
  renews boolean,
  reported_at timestamp with time zone not null,
  constraint stripe_subscription_pkey PRIMARY KEY (customer_id, subscription_id)
);

create table subscription_grant (
  user_id integer not null,
  ends_at timestamp with time zone not null,
  granted_at timestamp with time zone not null default now(),
  constraint subscription_grant_pkey PRIMARY KEY (user_id),
  constraint subscription_grant_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table totp_secret (
  user_id integer not null,
  encrypted_secret bytea not null,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint totp_secret_pkey PRIMARY KEY (user_id),
  constraint totp_secret_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table trial_shop (
  shop_hash bytea not null,
  first_connected_at timestamp with time zone not null default now(),
  constraint trial_shop_pkey PRIMARY KEY (shop_hash)
);

create table unclaimed_customer (
  customer_id text not null,
  email text not null,
  created_at timestamp with time zone not null default now(),
  constraint unclaimed_customer_pkey PRIMARY KEY (customer_id)
);
CREATE INDEX unclaimed_customer_created_idx ON public.unclaimed_customer USING btree (created_at);
CREATE INDEX unclaimed_customer_email_idx ON public.unclaimed_customer USING btree (email);

create table undo_step (
  user_id integer not null,
  change_uid text collate "C" not null,
  subject_uid text collate "C" not null,
  kind text not null,
  item_uid text collate "C",
  job_uid text collate "C",
  seller_account_uid text,
  platform text,
  title text not null default ''::text,
  before jsonb not null default '{}'::jsonb,
  after jsonb not null default '{}'::jsonb,
  at timestamp with time zone not null default now(),
  undone_at timestamp with time zone,
  constraint undo_step_pkey PRIMARY KEY (user_id, change_uid, subject_uid),
  constraint undo_step_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint undo_step_kind_check CHECK ((kind = ANY (ARRAY['link'::text, 'overwrite'::text, 'create'::text, 'skip'::text, 'mark_sold'::text, 'import_job'::text, 'change_price'::text, 'adopt'::text, 'overwrite_listing'::text, 'ignore_difference'::text, 'take_down'::text, 'take_back_hold'::text, 'edit_items'::text, 'withdraw'::text])))
);
CREATE INDEX undo_step_at_idx ON public.undo_step USING btree (at);
CREATE INDEX undo_step_subject_idx ON public.undo_step USING btree (user_id, subject_uid);

create table used_identity_token (
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_identity_token_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX used_identity_token_expires_idx ON public.used_identity_token USING btree (expires_at);

create table web_push_key (
  only_row boolean not null default true,
  public_key text not null,
  encrypted_private_key bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint web_push_key_pkey PRIMARY KEY (only_row),
  constraint web_push_key_only_row_check CHECK (only_row)
);

create table web_push_notice (
  user_id integer not null,
  endpoint_hash bytea not null,
  id bigint not null generated always as identity,
  notice jsonb not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone,
  expires_at timestamp with time zone not null,
  traceparent text,
  constraint web_push_notice_pkey PRIMARY KEY (user_id, endpoint_hash, id),
  constraint web_push_notice_user_id_endpoint_hash_fkey FOREIGN KEY (user_id, endpoint_hash) REFERENCES web_push_subscription(user_id, endpoint_hash) ON DELETE CASCADE
);
CREATE INDEX web_push_notice_due_idx ON public.web_push_notice USING btree (next_attempt_at);
CREATE INDEX web_push_notice_lease_idx ON public.web_push_notice USING btree (lease_until) WHERE (lease_until IS NOT NULL);

create table web_push_subscription (
  user_id integer not null,
  endpoint_hash bytea not null,
  token_hash bytea,
  encrypted_subscription bytea not null,
  created_at timestamp with time zone not null default now(),
  failures integer not null default 0,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  last_delivered_at timestamp with time zone,
  constraint web_push_subscription_pkey PRIMARY KEY (user_id, endpoint_hash),
  constraint web_push_subscription_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint web_push_subscription_user_id_token_hash_fkey FOREIGN KEY (user_id, token_hash) REFERENCES bearer_token(user_id, token_hash) ON DELETE CASCADE
);
CREATE INDEX web_push_subscription_token_idx ON public.web_push_subscription USING btree (user_id, token_hash);

create table webhook_delivery (
  user_id integer not null,
  endpoint_uid text collate "C" not null,
  id bigint not null generated always as identity,
  event_seq bigint not null,
  event_type text not null,
  item_uid text collate "C",
  cause text not null default 'event'::text,
  state text not null default 'pending'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone,
  response_status integer,
  error text,
  duration_ms integer,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (user_id, endpoint_uid, id),
  constraint webhook_delivery_user_id_event_seq_fkey FOREIGN KEY (user_id, event_seq) REFERENCES event(user_id, seq) ON DELETE CASCADE,
  constraint webhook_delivery_cause_check CHECK ((cause = ANY (ARRAY['event'::text, 'replay'::text, 'test'::text]))),
  constraint webhook_delivery_check CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_delivery_event_idx ON public.webhook_delivery USING btree (user_id, event_seq);
CREATE INDEX webhook_delivery_failed_idx ON public.webhook_delivery USING btree (user_id, endpoint_uid, id) WHERE (state = 'failed'::text);
CREATE INDEX webhook_delivery_item_idx ON public.webhook_delivery USING btree (user_id, endpoint_uid, item_uid, id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_delivery_leased_idx ON public.webhook_delivery USING btree (lease_until) WHERE ((state = 'pending'::text) AND (lease_until IS NOT NULL));
CREATE INDEX webhook_delivery_not_delivered_idx ON public.webhook_delivery USING btree (state) WHERE (state <> 'delivered'::text);
CREATE INDEX webhook_delivery_queue_idx ON public.webhook_delivery USING btree (endpoint_uid, user_id, next_attempt_at, id) WHERE (state = 'pending'::text);

create table webhook_endpoint (
  user_id integer not null,
  uid text collate "C" not null,
  url text not null,
  description text not null default ''::text,
  event_types text[],
  encrypted_secret bytea not null,
  enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  last_delivered_at timestamp with time zone,
  paused_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  encrypted_previous_secret bytea,
  previous_secret_until timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (user_id, uid),
  constraint webhook_endpoint_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table written_bytes (
  user_id integer not null,
  day date not null,
  bytes bigint not null,
  constraint written_bytes_pkey PRIMARY KEY (user_id, day),
  constraint written_bytes_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX written_bytes_day_idx ON public.written_bytes USING btree (day);

CREATE OR REPLACE FUNCTION public.block_platform_calls(p_platform text, p_app text, p_shop text, p_wait interval)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  past integer;
begin
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  update platform_quota q set
    refusals = case when q.refused_at < clock_timestamp() - interval '1 hour' then 1 else q.refusals + 1 end,
    refused_at = clock_timestamp()
  where q.platform = p_platform and q.app = p_app
  returning q.refusals - 1 into past;
  p_wait := coalesce(p_wait, make_interval(secs => least(300, power(2, least(past, 10)))));
  if p_shop = '' then
    update platform_quota q set blocked_until = greatest(q.blocked_until, clock_timestamp() + p_wait)
    where q.platform = p_platform and q.app = p_app;
    return;
  end if;
  insert into platform_quota_shop as s (platform, app, shop, blocked_until)
  values (p_platform, p_app, p_shop, clock_timestamp() + p_wait)
  on conflict on constraint platform_quota_shop_pkey
    do update set blocked_until = greatest(s.blocked_until, excluded.blocked_until);
end;
$function$
;

CREATE OR REPLACE FUNCTION public.check_item_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.version <> old.version + 1 then
    raise exception 'a move of an item is one version' using errcode = 'check_violation';
  end if;
  if old.state = 'sold' and current_setting('hapax.order_cancelled', true) = 'on' and not exists (
    select from sale where user_id = new.user_id and item_uid = new.uid and not cancelled
  ) then
    perform set_config('hapax.order_cancelled', 'off', true);
    return new;
  end if;
  if (old.state, new.state) in (
    ('available', 'reserved'), ('reserved', 'available'), ('available', 'withdrawn'), ('withdrawn', 'available'),
    ('available', 'sold'), ('reserved', 'sold')
  ) then
    return new;
  end if;
  raise exception 'an item cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_attempt(p_kind text, p_subject bytea, p_network bytea, p_max integer, p_window integer, p_first integer, p_longest integer)
 RETURNS failed_attempt
 LANGUAGE plpgsql
AS $function$
declare
  counted failed_attempt;
begin
  insert into failed_attempt as known (kind, subject, network, count, allowed, blocked_until, expires_at)
  values (p_kind, p_subject, p_network, 1, true, null, statement_timestamp() + p_window * interval '1 second')
  on conflict (kind, subject, network) do update set
    allowed = known.expires_at <= statement_timestamp() or coalesce(known.blocked_until <= statement_timestamp(), true),
    count = case
      when known.expires_at <= statement_timestamp() then 1
      when known.blocked_until > statement_timestamp() then known.count
      else known.count + 1
    end,
    blocked_until = case
      when known.expires_at <= statement_timestamp() then null
      when known.blocked_until > statement_timestamp() then known.blocked_until
      when known.count + 1 >= p_max then statement_timestamp()
        + least(p_longest, p_first * power(2, least(known.count + 1 - p_max, 20))) * interval '1 second'
    end,
    expires_at = case
      when known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp() then known.expires_at
      else statement_timestamp() + p_window * interval '1 second'
    end
  returning * into counted;
  return counted;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_import_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sums record;
begin
  for sums in
    select user_id, job_uid, count(*) as found, count(*) filter (where status = 'imported') as imported,
      count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
      count(*) filter (where status = 'conflict') as conflicted
    from stored
    group by user_id, job_uid
  loop
    insert into import_count as counted (user_id, job_uid, found, imported, skipped, failed, conflicted)
    values (sums.user_id, sums.job_uid, sums.found, sums.imported, sums.skipped, sums.failed, sums.conflicted)
    on conflict (user_id, job_uid) do update set
      found = counted.found + excluded.found, imported = counted.imported + excluded.imported,
      skipped = counted.skipped + excluded.skipped, failed = counted.failed + excluded.failed,
      conflicted = counted.conflicted + excluded.conflicted;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_platform_calls(p_platform text, p_app text, p_shop text, p_instant timestamp with time zone, p_calls integer, p_priority text DEFAULT ''::text)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO platform_quota_slot (platform, app, shop, slot, priority, used)
   VALUES (count_platform_calls.p_platform, count_platform_calls.p_app, count_platform_calls.p_shop, date_bin('00:15:00'::interval, count_platform_calls.p_instant, '2000-01-01 00:00:00+00'::timestamp with time zone), count_platform_calls.p_priority, count_platform_calls.p_calls) ON CONFLICT(platform, app, shop, slot, priority) DO UPDATE SET used = (platform_quota_slot.used + excluded.used);
END
;

CREATE OR REPLACE FUNCTION public.count_requests(p_subject text, p_requests bigint)
 RETURNS request_count
 LANGUAGE plpgsql
AS $function$
declare
  counted request_count;
begin
  -- Counts do not wait for the disk: a crash may forget those of its last fifth of a second.
  perform set_config('synchronous_commit', 'off', true);
  insert into request_count as known (subject, count, ends_at)
  values (p_subject, p_requests, clock_timestamp() + interval '1 minute')
  on conflict (subject) do update set
    count = excluded.count
      + case when known.ends_at - clock_timestamp() between '1 microsecond' and '1 minute' then known.count else 0 end,
    ends_at = case
      when known.ends_at - clock_timestamp() between '1 microsecond' and '1 minute' then known.ends_at
      else excluded.ends_at
    end
  returning * into counted;
  return counted;
end
$function$
;

CREATE OR REPLACE FUNCTION public.defer_webhook_delivery(p_user_id integer, p_endpoint_uid text, p_id bigint, p_first_id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  first_at timestamptz;
  place tid;
begin
  select d.next_attempt_at into first_at from webhook_delivery d
  where d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid and d.id between p_first_id and p_first_id
    and d.finished_at is null
  order by d.id
  limit 1
  for update skip locked;
  select d.ctid into place from webhook_delivery d
  where d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid and d.id between p_id and p_id
    and d.finished_at is null and first_at is not null
  order by d.id
  limit 1
  for update skip locked;
  update webhook_delivery d set next_attempt_at = greatest(first_at, now() + interval '5 minutes')
  where d.user_id = p_user_id and d.ctid = place;
  return found;
end
$function$
;

CREATE OR REPLACE FUNCTION public.fold_text(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f''’‘ʼ`´]', '', 'g'))
$function$
;

CREATE OR REPLACE FUNCTION public.index_item_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  units text := case when new.currency in ('JPY', 'KRW') then new.price_minor else new.price_minor / 100 end::text;
  cents text := case when new.currency in ('JPY', 'KRW') then '' else lpad((new.price_minor % 100)::text, 2, '0') end;
begin
  new.search_words := array_to_tsvector(
    search_words(concat_ws(' ', new.title, new.attributes ->> 'brand', new.sku)) || units || (units || cents)
  );
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.is_coordinator()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if to_regclass('pg_catalog.pg_dist_local_group') is null then
    return true;
  end if;
  return (select groupid = 0 from pg_dist_local_group);
end
$function$
;

CREATE OR REPLACE FUNCTION public.next_webhook_deliveries(p_user_id integer, p_endpoint_uid text, p_count integer)
 RETURNS TABLE(id bigint, next_attempt_at timestamp with time zone, first_id bigint, first_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 10
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select due.id, due.next_attempt_at, coalesce(first.id, due.id), coalesce(first.next_attempt_at, due.next_attempt_at)
  from (
    select d.id, d.item_uid, d.next_attempt_at from webhook_delivery d
    where d.endpoint_uid = p_endpoint_uid and d.user_id = p_user_id and d.state = 'pending' and d.next_attempt_at <= now()
      and (d.lease_until is null or d.lease_until < now())
    order by d.next_attempt_at, d.id
    limit p_count
  ) due
  left join lateral (
    select d.item_uid, d.id, d.next_attempt_at from webhook_delivery d
    where d.state = 'pending' and d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid
      and (d.item_uid, d.id) >= (due.item_uid, 0)
    order by d.item_uid, d.id
    limit 1
  ) first on first.item_uid = due.item_uid;
end
$function$
;

CREATE OR REPLACE FUNCTION public.notify_ended_credential()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_coordinator() then
    perform pg_notify('hapax_event', 'ended ' || (to_jsonb(old) ->> tg_argv[0]));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.place_table(p_table regclass, p_placement text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then
    return;
  end if;
  if not exists (select from pg_dist_partition where logicalrelid = 'inventory_item'::regclass and partmethod = 'h') then
    return;
  end if;
  if p_placement = 'user' then
    perform create_distributed_table(p_table, 'user_id', colocate_with => 'inventory_item');
  else
    perform create_reference_table(p_table);
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.platform_calls_by_priority(p_platform text, p_app text, p_shop text, p_instant timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN (SELECT COALESCE(jsonb_object_agg(priorities.priority, priorities.used), '{}'::jsonb) AS "coalesce" FROM (SELECT platform_quota_slot.priority, (sum(platform_quota_slot.used))::integer AS used FROM platform_quota_slot WHERE ((platform_quota_slot.platform = platform_calls_by_priority.p_platform) AND (platform_quota_slot.app = platform_calls_by_priority.p_app) AND (platform_quota_slot.shop = platform_calls_by_priority.p_shop) AND (platform_quota_slot.slot > (platform_calls_by_priority.p_instant - '24:15:00'::interval))) GROUP BY platform_quota_slot.priority) priorities)
;

CREATE OR REPLACE FUNCTION public.platform_calls_today(p_platform text, p_app text, p_shop text, p_instant timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
RETURN (SELECT (COALESCE(sum(platform_quota_slot.used), (0)::bigint))::integer AS "coalesce" FROM platform_quota_slot WHERE ((platform_quota_slot.platform = platform_calls_today.p_platform) AND (platform_quota_slot.app = platform_calls_today.p_app) AND (platform_quota_slot.shop = platform_calls_today.p_shop) AND (platform_quota_slot.slot > (platform_calls_today.p_instant - '24:15:00'::interval))))
;

CREATE OR REPLACE FUNCTION public.platform_day_frees_at(p_platform text, p_app text, p_shop text, p_instant timestamp with time zone, p_too_many integer, p_priority text DEFAULT NULL::text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN (SELECT COALESCE((min(slots.slot) + '24:15:00'::interval), (platform_day_frees_at.p_instant + '1 day'::interval)) AS "coalesce" FROM (SELECT platform_quota_slot.slot, sum(platform_quota_slot.used) OVER (ORDER BY platform_quota_slot.slot) AS freed FROM platform_quota_slot WHERE ((platform_quota_slot.platform = platform_day_frees_at.p_platform) AND (platform_quota_slot.app = platform_day_frees_at.p_app) AND (platform_quota_slot.shop = platform_day_frees_at.p_shop) AND (platform_quota_slot.slot > (platform_day_frees_at.p_instant - '24:15:00'::interval)) AND (platform_quota_slot.priority = COALESCE(platform_day_frees_at.p_priority, platform_quota_slot.priority)))) slots WHERE (slots.freed >= platform_day_frees_at.p_too_many))
;

CREATE OR REPLACE FUNCTION public.queue_image_copy()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.redirect_uid is not null or (tg_op = 'UPDATE' and new.images = old.images) then
    return null;
  end if;
  if exists (
    select from unnest(new.images) address
    where address not like '%/assets/no-photo.svg' and not exists (
      select from image
      where user_id = new.user_id and uid = substring(address from '/images/(img_[0-9A-Za-z]{22})/')
    )
  ) then
    insert into image_copy (user_id, item_uid) values (new.user_id, new.uid)
    on conflict (user_id, item_uid) do update set due_at = excluded.due_at, attempts = 0, failure = null;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.record_platform_limits(p_platform text, p_app text, p_per_second integer, p_per_day integer, p_left integer, p_shop text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  instant timestamptz;
  is_by_shop boolean;
  counted integer;
  unknown_calls integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota as q (platform, app, reported_per_second, reported_per_day)
  values (p_platform, p_app, p_per_second, p_per_day)
  on conflict (platform, app) do update
  set
    reported_per_second = coalesce(excluded.reported_per_second, q.reported_per_second),
    reported_per_day = coalesce(excluded.reported_per_day, q.reported_per_day),
    refusals = 0
  returning q.by_shop into is_by_shop;
  instant := clock_timestamp();
  counted := platform_calls_today(p_platform, p_app, '', instant);
  if not is_by_shop and p_shop <> '' and p_per_day - p_left < counted - greatest(100, p_per_day / 20) then
    update platform_quota q set by_shop = true where q.platform = p_platform and q.app = p_app;
    is_by_shop := true;
  end if;
  if is_by_shop then
    counted := case when p_shop <> '' then platform_calls_today(p_platform, p_app, p_shop, instant) end;
  end if;
  unknown_calls := p_per_day - p_left - counted;
  if unknown_calls > 0 then
    perform count_platform_calls(p_platform, p_app, case when is_by_shop then p_shop else '' end, instant, unknown_calls);
  end if;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.recount_import_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in
    select user_id, job_uid, coalesce(sum(sign) filter (where status = 'imported'), 0) as imported,
      coalesce(sum(sign) filter (where status = 'skipped'), 0) as skipped,
      coalesce(sum(sign) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(sign) filter (where status = 'conflict'), 0) as conflicted
    from (
      select user_id, job_uid, status, 1 as sign from now
      union all
      select user_id, job_uid, status, -1 from before
    ) row
    group by user_id, job_uid
  loop
    continue when (change.imported, change.skipped, change.failed, change.conflicted) = (0, 0, 0, 0);
    update import_count counted set
      imported = counted.imported + change.imported, skipped = counted.skipped + change.skipped,
      failed = counted.failed + change.failed, conflicted = counted.conflicted + change.conflicted
    where counted.user_id = change.user_id and counted.job_uid = change.job_uid;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.remember_removed_image()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into removed_image (user_id, uid) values (old.user_id, old.uid) on conflict do nothing;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_query(p_text text)
 RETURNS tsquery
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  typed text[] := regexp_split_to_array(btrim(fold_text(p_text), E' \t\n\r!"#$%&()*+,-./:;<=>?@[\\]^_{|}~'), '\s+');
  last integer := array_length(typed, 1);
  beginning text;
  whole text;
  parts text;
  wanted text := '';
begin
  for place in 1 .. last loop
    beginning := case when place = last then ':*' else '' end;
    -- No sign is left that a query could take for an operator or a quote.
    whole := regexp_replace(typed[place], '[\s!-/:-@\[-`{-~‐-‟…•·«»]+', '', 'g');
    continue when whole = '';
    select string_agg('''' || left(part, 255) || '''', ' & ' order by number) into parts
    from regexp_split_to_table(typed[place], '[\s!-/:-@\[-`{-~‐-‟…•·«»]+') with ordinality as split (part, number)
    where part <> '';
    wanted := wanted || case when wanted = '' then '' else ' & ' end
      || '(''' || left(whole, 255) || '''' || beginning || ' | (' || parts || beginning || '))';
  end loop;
  return case when wanted = '' then null else wanted::tsquery end;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_words(p_text text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(distinct left(word, 255)), '{}')
  from (select fold_text(p_text) as text) folded
  cross join lateral regexp_split_to_table(
    regexp_replace(folded.text, '[-‐‑–_./]+', '', 'g') || ' ' || folded.text,
    '[\s!-/:-@\[-`{-~‐-‟…•·«»]+'
  ) as word
  where word <> ''
$function$
;

CREATE OR REPLACE FUNCTION public.settle_take_down()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- On Citus no clock may stand in a CASE.
  moment constant timestamptz := now();
begin
  if old.state in ('available', 'reserved') then
    if new.state in ('available', 'reserved') then
      return null;
    end if;
    update extension_task set status = 'dismissed', finished_at = now()
    where user_id = new.user_id and platform = new.platform and kind = 'delist' and listing_id = new.listing_id
      and item_uid = new.item_uid and status = 'open'
      and not exists (
        select from listing_operation operation
        where operation.user_id = new.user_id and operation.seller_account_uid = new.seller_account_uid
          and operation.listing_id = new.listing_id and operation.kind = 'delist' and operation.state = 'open'
      );
    if found then
      update alert set state = 'resolved', finished_at = now()
      where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
        and reference = new.listing_id and state = 'open' and not data ? 'operation_id';
    end if;
  elsif new.state in ('available', 'reserved', 'sold') then
    update alert set
      data = data - 'ended_said_at',
      notified_at = null,
      notify_at = now() + interval '5 minutes',
      state = case when new.state = 'sold' then 'resolved' else 'open' end,
      finished_at = case when new.state = 'sold' then moment end
    where user_id = new.user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = new.item_uid
      and reference = new.listing_id and platform = new.platform and state = 'open' and data ? 'ended_said_at';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_platform_calls(p_platform text, p_app text, p_limits jsonb, p_requests jsonb)
 RETURNS TABLE(place integer, granted integer, wait_ms integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  -- One shop's part of what others leave of a day. The rest lets another shop begin at any time.
  shop_part constant double precision := 0.75;
  budget platform_quota;
  shop platform_quota_shop;
  request record;
  instant timestamptz;
  per_day double precision;
  cap double precision;
  rate double precision;
  shop_cap double precision;
  shop_rate double precision;
  -- Calls of the day by priority, and those of the shop for this kind of work.
  used jsonb;
  own integer;
  counted_for text;
  room double precision;
  in_bulk boolean;
  pace interval;
  possible double precision;
  due timestamptz;
begin
  -- A crash may forget the last calls: the platform's next answer reports them again.
  perform set_config('synchronous_commit', 'off', true);
  insert into platform_quota (platform, app) values (p_platform, p_app) on conflict do nothing;
  select * into strict budget from platform_quota q where q.platform = p_platform and q.app = p_app for update;
  instant := clock_timestamp();

  -- A bucket of `cap` that fills at `rate` lets through at most cap + rate * seconds in any window. Calls arrive less evenly
  -- than they are granted, so the rate stays a tenth below what that allows. A shop's window is long and evens them out.
  per_day := coalesce(budget.reported_per_day, (p_limits ->> 'per_day')::double precision);
  rate := coalesce(budget.reported_per_second, (p_limits ->> 'per_second')::double precision);
  cap := case when rate < 3 then 1 when rate < 10 then 1.5 else greatest(2, rate * 0.05) end;
  rate := greatest((rate - cap) * 0.9, rate * 0.5);
  shop_rate := (p_limits ->> 'shop_calls')::double precision;
  shop_cap := case when shop_rate < 3 then 1 else greatest(1.5, shop_rate * 0.03) end;
  shop_rate := greatest(shop_rate - shop_cap, shop_rate * 0.5) / (p_limits ->> 'shop_seconds')::double precision;

  if rate is not null then
    budget.level := least(cap, budget.level + rate * greatest(0, extract(epoch from instant - budget.level_at)));
  end if;
  -- Once per quarter of an hour.
  if not exists (
    select from platform_quota_slot s
    where s.platform = p_platform and s.app = p_app and s.shop = ''
      and s.slot = date_bin('15 minutes', instant, timestamptz '2000-01-01')
  ) then
    delete from platform_quota_slot s
    where s.platform = p_platform and s.app = p_app and s.slot < instant - interval '25 hours';
    delete from platform_quota_shop s
    where s.platform = p_platform and s.app = p_app and s.asked_at < instant - interval '25 hours';
  end if;
  used := platform_calls_by_priority(p_platform, p_app, '', instant);

  for request in
    select r.place, r.shop, coalesce(r.priority, '') as priority, r.kept, r.share, r.calls
    from jsonb_to_recordset(p_requests)
      as r (place integer, shop text, priority text, kept jsonb, share double precision, calls integer)
    order by r.share desc, r.place
  loop
    in_bulk := request.share <= 0.8;
    possible := request.calls;
    due := instant;
    pace := null;

    insert into platform_quota_shop as s (platform, app, shop, asked_at)
    values (p_platform, p_app, request.shop, case when in_bulk then instant else '-infinity' end)
    on conflict on constraint platform_quota_shop_pkey
      do update set asked_at = greatest(s.asked_at, excluded.asked_at)
    returning * into shop;

    if budget.blocked_until > instant or shop.blocked_until > instant then
      possible := 0;
      due := greatest(due, budget.blocked_until, shop.blocked_until);
    end if;

    -- Calls without a shop are few, and none of a budget that is counted by shop.
    if per_day is not null and not (budget.by_shop and request.shop = '') then
      counted_for := case when budget.by_shop then request.shop else '' end;
      if budget.by_shop then
        used := platform_calls_by_priority(p_platform, p_app, counted_for, instant);
      end if;
      select floor(per_day) - coalesce((select sum(value::integer) from jsonb_each_text(used)), 0)
        - coalesce(sum(greatest(0, ceil(per_day::numeric * value::numeric) - coalesce((used ->> key)::integer, 0))), 0)
      into room
      from jsonb_each_text(request.kept);
      possible := least(possible, room);
      if room < request.calls then
        due := greatest(due, platform_day_frees_at(p_platform, p_app, counted_for, instant, 1 - room::integer));
      end if;
      if room > 0 and not budget.by_shop and request.shop <> '' then
        own := coalesce(
          (platform_calls_by_priority(p_platform, p_app, request.shop, instant) ->> request.priority)::integer, 0);
        room := ceil(shop_part * (room + own)) - own;
        possible := least(possible, room);
        if room < request.calls then
          due := greatest(due, platform_day_frees_at(
            p_platform, p_app, request.shop, instant, 1 - room::integer, request.priority));
        end if;
      end if;
    end if;

    if rate is not null then
      -- Leave a reserve to higher priorities.
      room := budget.level - least((1 - request.share) * 1.5 * cap, (cap - 1) * 0.6);
      possible := least(possible, floor(room));
      if floor(room) < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 - room) / rate));
      end if;
      if in_bulk and request.shop <> '' then
        -- Shops that asked within the last second, or wait for their turn, take turns.
        select make_interval(secs => count(*) / rate) into pace
        from platform_quota_shop s
        where s.platform = p_platform and s.app = p_app and s.shop <> ''
          and greatest(s.asked_at, s.next_at) > instant - interval '1 second';
        if shop.next_at > instant then
          possible := 0;
          due := greatest(due, shop.next_at);
        end if;
      end if;
    end if;

    if shop_rate is not null and request.shop <> '' then
      shop.level := least(shop_cap, shop.level + shop_rate * greatest(0, extract(epoch from instant - shop.level_at)));
      room := shop.level - least((1 - request.share) * shop_cap, shop_cap - 1);
      possible := least(possible, floor(room));
      if floor(room) < request.calls then
        due := greatest(due, instant + make_interval(secs => (1 - room) / shop_rate));
      end if;
    end if;

    place := request.place;
    granted := greatest(possible, 0);
    -- Grant a part at once. The next request for the rest returns its wait.
    wait_ms := case when granted > 0 then 0 else least(ceil(extract(epoch from due - instant) * 1000), 86400000) end;
    if granted > 0 then
      budget.level := budget.level - granted;
      used := used
        || jsonb_build_object(request.priority, coalesce((used ->> request.priority)::integer, 0) + granted);
      perform count_platform_calls(p_platform, p_app, '', instant, granted, request.priority);
      if request.shop <> '' then
        perform count_platform_calls(p_platform, p_app, request.shop, instant, granted, request.priority);
      end if;
      update platform_quota_shop s
      set
        level = shop.level - granted,
        level_at = instant,
        next_at = case when pace is null then s.next_at else greatest(s.next_at, instant - pace) + pace * granted end
      where s.platform = p_platform and s.app = p_app and s.shop = request.shop;
    end if;
    return next;
  end loop;

  update platform_quota q
  set level = budget.level, level_at = instant
  where q.platform = p_platform and q.app = p_app;
end;
$function$
;

CREATE OR REPLACE FUNCTION public.unanswered_listings(seller integer)
 RETURNS TABLE(item_uid text, platform text, job_uid text, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 100
AS $function$
#variable_conflict use_column
begin
  return query
  select distinct on (waiting.platform, waiting.item_uid) waiting.item_uid, waiting.platform, waiting.job_uid, job.created_at
  from bulk_item waiting
  join bulk_job job on job.user_id = waiting.user_id and job.uid = waiting.job_uid
  join inventory_item item on item.user_id = waiting.user_id and item.uid = waiting.item_uid and item.state = 'available'
  where waiting.user_id = seller and waiting.settled_at is null
    and waiting.error_code in ('choice_required', 'seller_account_required')
    and not exists (
      select from channel_listing listing
      where listing.user_id = waiting.user_id and listing.item_uid = waiting.item_uid and listing.platform = waiting.platform
        and (
          listing.state in ('available', 'reserved') or listing.created_at > job.created_at
          or listing.for_sale_since > job.created_at
        )
    )
  order by waiting.platform, waiting.item_uid, job.created_at desc;
end
$function$
;

CREATE OR REPLACE FUNCTION public.webhook_endpoint_kind(p_failures integer, p_last_delivered_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN (p_failures >= CASE WHEN (p_last_delivered_at IS NULL) THEN 1 ELSE 3 END) THEN 'failing'::text WHEN (p_last_delivered_at IS NULL) THEN 'untried'::text ELSE 'working'::text END
;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_waiting()
 RETURNS TABLE(user_id integer, endpoint_uid text, due_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 10
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  user_id := 0;
  endpoint_uid := '';
  loop
    select d.user_id, d.endpoint_uid, d.next_attempt_at into user_id, endpoint_uid, due_at
    from webhook_delivery d
    where d.state = 'pending'
      and (d.endpoint_uid, d.user_id) > (webhook_endpoints_waiting.endpoint_uid, webhook_endpoints_waiting.user_id)
    order by d.endpoint_uid, d.user_id, d.next_attempt_at, d.id
    limit 1;
    exit when not found;
    return next;
  end loop;
end
$function$
;

CREATE TRIGGER count_import_items AFTER INSERT ON public.import_item REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION count_import_items();

CREATE TRIGGER inventory_item_move BEFORE UPDATE OF state ON public.inventory_item FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION check_item_move();

CREATE TRIGGER inventory_item_words BEFORE INSERT OR UPDATE OF title, attributes, sku, price_minor, currency ON public.inventory_item FOR EACH ROW EXECUTE FUNCTION index_item_words();

CREATE TRIGGER notify_ended AFTER DELETE ON public.bearer_token FOR EACH ROW EXECUTE FUNCTION notify_ended_credential('user_id');

CREATE TRIGGER notify_ended AFTER DELETE OR UPDATE OF key_hash, scopes, expires_at ON public.api_key FOR EACH ROW EXECUTE FUNCTION notify_ended_credential('user_id');

CREATE TRIGGER notify_ended AFTER UPDATE OF state ON public.app_user FOR EACH ROW EXECUTE FUNCTION notify_ended_credential('id');

CREATE TRIGGER queue_image_copy AFTER INSERT OR UPDATE OF images ON public.inventory_item FOR EACH ROW EXECUTE FUNCTION queue_image_copy();

CREATE TRIGGER recount_import_items AFTER UPDATE ON public.import_item REFERENCING OLD TABLE AS before NEW TABLE AS now FOR EACH STATEMENT EXECUTE FUNCTION recount_import_items();

CREATE TRIGGER remember_removed AFTER DELETE ON public.image FOR EACH ROW EXECUTE FUNCTION remember_removed_image();

CREATE TRIGGER settle_take_down AFTER UPDATE OF state ON public.channel_listing FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION settle_take_down();
