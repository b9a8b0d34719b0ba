CREATE TABLE record_locks (
  hash text PRIMARY KEY,
  app text NOT NULL,
  screen text NOT NULL,
  key jsonb NOT NULL,
  token text NOT NULL,
  username text NOT NULL,
  display_name text NOT NULL,
  session text,
  announced boolean NOT NULL,
  acquired_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  writing_until timestamptz
);
--> statement-breakpoint
CREATE INDEX record_locks_holder ON record_locks (username);
--> statement-breakpoint
CREATE INDEX record_locks_end ON record_locks (expires_at);
