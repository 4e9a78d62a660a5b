-- Made from the migrations (npm run schema); never edited by hand.

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
  constraint app_user_email_key UNIQUE (email),
  constraint app_user_phone_number_key UNIQUE (phone_number),
  constraint app_user_username_key UNIQUE (username),
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_check CHECK ((email = lower(email))),
  constraint app_user_state_check CHECK ((state = ANY (ARRAY['active'::text, 'deactivated'::text])))
);

create table bearer_token (
  user_id integer not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint bearer_token_hash_key UNIQUE (token_hash),
  constraint bearer_token_pkey PRIMARY KEY (user_id, token_hash),
  constraint bearer_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);

create table connect_session (
  user_id integer not null,
  session_hash bytea not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint connect_session_hash_key UNIQUE (session_hash),
  constraint connect_session_pkey PRIMARY KEY (user_id, session_hash),
  constraint connect_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint connect_session_user_id_token_hash_fkey FOREIGN KEY (user_id, token_hash) REFERENCES bearer_token(user_id, token_hash) ON DELETE CASCADE
);
CREATE INDEX connect_session_token_idx ON public.connect_session USING btree (user_id, token_hash);

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

create table oauth_state (
  user_id integer not null,
  state_hash bytea not null,
  platform text not null,
  browser_hash bytea not null,
  sealed_code_verifier bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_state_hash_key UNIQUE (state_hash),
  constraint oauth_state_pkey PRIMARY KEY (user_id, state_hash),
  constraint oauth_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX oauth_state_expires_idx ON public.oauth_state USING btree (expires_at);

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
  sealed_access_token bytea,
  sealed_refresh_token bytea,
  access_expires_at timestamp with time zone,
  refresh_expires_at timestamp with time zone,
  token_epoch integer not null default 0,
  constraint seller_account_own_shop_key UNIQUE (user_id, platform, external_id),
  constraint seller_account_pkey PRIMARY KEY (user_id, uid),
  constraint seller_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint seller_account_check CHECK (((status <> 'revoked'::text) OR ((sealed_access_token IS NULL) AND (sealed_refresh_token IS NULL)))),
  constraint seller_account_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'reconnect_required'::text, 'revoked'::text])))
);
CREATE INDEX seller_account_check_idx ON public.seller_account USING btree (last_checked_at NULLS FIRST) WHERE ((status <> 'revoked'::text) AND (sealed_refresh_token IS NOT NULL));
CREATE UNIQUE INDEX seller_account_shop_key ON public.seller_account USING btree (platform, external_id) WHERE (status <> 'revoked'::text);
