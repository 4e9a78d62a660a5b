-- True if the token serves the session of the pages alone and ends with it. The web app's token lives on.
alter table connect_session add column ends_token boolean not null default false;
-- A browser's notifications outlive the lifetime of its session. They end when the seller signs out or ends the session.
alter table web_push_subscription alter column token_hash drop not null;
