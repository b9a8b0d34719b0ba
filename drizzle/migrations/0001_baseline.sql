create extension if not exists pg_trgm
--> statement-breakpoint
create schema passerelle
--> statement-breakpoint
create sequence template_versions
--> statement-breakpoint
CREATE FUNCTION is_payable(invoice_type text, amount_due numeric) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
	SELECT coalesce(invoice_type, '') NOT IN ('81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '502', '503', '532')
		AND coalesce(amount_due > 0, true)
$$
--> statement-breakpoint
create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  actor text not null,
  address text,
  event text not null,
  target text,
  before jsonb,
  after jsonb,
  previous_hash text not null,
  hash text not null
)
--> statement-breakpoint
create table notification_deliveries (
  id uuid primary key,
  event_id uuid not null,
  rule text not null,
  channel text not null,
  address text not null,
  state text not null,
  notice jsonb not null,
  subject text default '' not null,
  body text default '' not null,
  attachment text,
  outputs jsonb,
  attempts integer default 0 not null,
  last_error text,
  created_at timestamptz default now() not null,
  settled_at timestamptz,
  owner text,
  last_error_fr text
)
--> statement-breakpoint
create table invoices (
  id bigserial primary key,
  doc text not null,
  dct text not null,
  kco text not null,
  direction text default 'issued' not null,
  template text,
  ubl_number text,
  issue_date date,
  due_date date,
  invoice_type text,
  process_type text,
  currency text,
  total_ht numeric(24,6),
  total_ttc numeric(24,6),
  amount_due numeric(24,6),
  total_vat numeric(24,6),
  supplier_ref text,
  supplier_siren text,
  supplier_name text,
  customer_ref text,
  customer_name text,
  order_ref text,
  contract_ref text,
  status text not null,
  status_at timestamptz default now() not null,
  generation integer default 0 not null,
  reason_code text,
  pa_uuid text,
  job_number text,
  search_text text default '' not null,
  verdict jsonb,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  customer_sort text collate "C",
  treatment text,
  treatment_details jsonb,
  pa_rule text,
  pa_rule_source text,
  attention text[]
)
--> statement-breakpoint
create table runs (
  id uuid primary key,
  template text,
  file text not null,
  mode text not null,
  source_type text not null,
  job_number text default '' not null,
  replace_mode boolean default false not null,
  state text default 'splitting' not null,
  envelope_open text,
  envelope_close text,
  total integer default 0 not null,
  error text,
  started_by text,
  created_at timestamptz default now() not null,
  finished_at timestamptz,
  next_item integer default 0 not null,
  served_at timestamptz default now() not null,
  error_fr text,
  file_version text,
  file_size bigint,
  treatment text,
  preview boolean default false not null
)
--> statement-breakpoint
create table ai_conversations (
  id uuid primary key,
  owner text not null,
  title text not null,
  app text,
  model text not null,
  message_count integer default 0 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  turn uuid,
  turn_until timestamptz,
  has_read boolean default false not null
)
--> statement-breakpoint
create table ai_questions (
  id uuid primary key,
  owner text not null,
  answer json,
  expires_at timestamptz not null
)
--> statement-breakpoint
create table ai_usage (
  username text not null,
  day date not null,
  tokens bigint not null,
  constraint ai_usage_username_day_pk primary key (username, day)
)
--> statement-breakpoint
create table applications (
  id serial primary key,
  name text not null,
  pool text default 'default' not null,
  row_offset integer default 0 not null,
  row_limit integer default 1000 not null,
  version integer default 1 not null,
  dashboard integer default 0 not null,
  theme text default 'passerelle' not null,
  constraint applications_name unique (name)
)
--> statement-breakpoint
create table breakers (
  name text primary key,
  state text default 'closed' not null,
  failures integer default 0 not null,
  window_from timestamptz default now() not null,
  until timestamptz default now() not null,
  reason text,
  updated_at timestamptz default now() not null
)
--> statement-breakpoint
create table call_rates (
  what text not null,
  username text not null,
  spent_until timestamptz not null,
  constraint call_rates_what_username_pk primary key (what, username)
)
--> statement-breakpoint
create table clock_marks (
  id boolean default true primary key,
  seen_at timestamptz default now() not null,
  put_back_at timestamptz,
  put_back_s double precision default 0 not null,
  moved integer default 0 not null,
  constraint clock_marks_one check (id)
)
--> statement-breakpoint
create table configuration_revisions (
  id bigserial primary key,
  at timestamptz default now() not null,
  author text not null,
  note text not null
)
--> statement-breakpoint
create table configuration_sections (
  name text primary key,
  stored bigint not null,
  active bigint
)
--> statement-breakpoint
create table daily_usage (
  what text not null,
  username text not null,
  day date not null,
  bytes bigint not null,
  constraint daily_usage_what_username_day_pk primary key (what, username, day)
)
--> statement-breakpoint
create table downloads (
  id uuid primary key,
  request jsonb not null,
  state text default 'waiting' not null,
  files jsonb default '[]' not null,
  error text,
  error_code text,
  started_by text,
  created_at timestamptz default now() not null,
  finished_at timestamptz,
  error_fr text
)
--> statement-breakpoint
create table evidence_contents (
  sha256 text primary key,
  bytes bytea not null
)
--> statement-breakpoint
create table idempotency_keys (
  key text not null,
  actor text not null,
  route text not null,
  body_sha256 text not null,
  status integer,
  content_type text,
  body text,
  created_at timestamptz default now() not null,
  rights text[] default '{}'::text[] not null,
  holder text,
  constraint idempotency_keys_key_actor_route_pk primary key (key, actor, route)
)
--> statement-breakpoint
create table inbound_files (
  id bigserial primary key,
  source text not null,
  name text not null,
  size bigint not null,
  sha256 text not null,
  modified bigint,
  path text not null,
  run_id uuid,
  received_at timestamptz default now() not null
)
--> statement-breakpoint
create table installations (
  id uuid default gen_random_uuid() primary key,
  copied_at timestamptz,
  started_at timestamptz,
  setup_token text,
  home text,
  sending_off_at timestamptz
)
--> statement-breakpoint
create table job_runs (
  id uuid primary key,
  job text not null,
  definition jsonb not null,
  status text default 'running' not null,
  phase text,
  trigger text not null,
  requested_by text,
  acting_as text,
  params jsonb not null,
  replay_of uuid,
  from_step text,
  parent uuid,
  awaited boolean default false not null,
  scheduled_for timestamptz,
  attempt integer default 0 not null,
  fence bigint default 0 not null,
  lock_key text not null,
  lock_limit integer not null,
  wake_at timestamptz,
  failed_step text,
  error_code text,
  error text,
  error_fr text,
  log_lines integer default 0 not null,
  created_at timestamptz default now() not null,
  started_at timestamptz,
  ended_at timestamptz,
  revision integer default 0 not null,
  ends_with_parent boolean default false not null,
  param_readers jsonb default '{}' not null
)
--> statement-breakpoint
create table job_schedules (
  job text not null,
  cron text not null,
  last_due timestamptz not null,
  noted_at timestamptz default now() not null,
  constraint job_schedules_job_cron_pk primary key (job, cron)
)
--> statement-breakpoint
create table live_events (
  id bigserial primary key,
  xid bigint default ((pg_current_xact_id())::text)::bigint not null,
  topic text not null,
  type text not null,
  data jsonb not null,
  permission text not null,
  created_at timestamptz default now() not null,
  audience text
)
--> statement-breakpoint
create table live_tickets (
  hash text primary key,
  "authorization" text not null,
  expires_at timestamptz not null
)
--> statement-breakpoint
create table log_batches (
  id bigserial primary key,
  process text not null,
  entries integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  levels text[] not null,
  events text[] not null,
  lines text not null
)
--> statement-breakpoint
create table log_entries (
  id bigserial primary key,
  at timestamptz not null,
  level text not null,
  process text not null,
  event text not null,
  request_id text,
  fields jsonb not null
)
--> statement-breakpoint
create table modules (
  id text primary key,
  "position" integer not null,
  description text not null,
  description_fr text not null
)
--> statement-breakpoint
create table notification_dispatches (
  event_id uuid not null,
  rule text not null,
  properties jsonb not null,
  owner text,
  notice jsonb not null,
  created_at timestamptz default now() not null,
  finished_at timestamptz,
  constraint notification_dispatches_event_id_rule_pk primary key (event_id, rule)
)
--> statement-breakpoint
create table notification_pdfs (
  event_id uuid not null,
  language text not null,
  bytes bytea not null,
  constraint notification_pdfs_event_id_language_pk primary key (event_id, language)
)
--> statement-breakpoint
create table opened_pools (
  name text primary key,
  opened_by text not null,
  opened_at timestamptz default now() not null,
  closed boolean default false not null
)
--> statement-breakpoint
create table pa_cursors (
  name text primary key,
  updated_after text,
  cursor text,
  updated_at timestamptz default now() not null,
  scan_newest text,
  lease_holder uuid,
  lease_until timestamptz,
  started_at timestamptz,
  covers_until timestamptz
)
--> statement-breakpoint
create table pa_flows (
  flow_id text primary key,
  flow_type text,
  direction text,
  ack_status text not null,
  updated_at text,
  handled_at timestamptz default now() not null,
  tracking_id text,
  submitted_at text
)
--> statement-breakpoint
create table pa_quarantine (
  flow_id text primary key,
  reason text not null,
  content text,
  metadata jsonb,
  created_at timestamptz default now() not null,
  kind text default 'unreadable' not null,
  attempts integer default 1 not null,
  next_at timestamptz,
  invoice_number text,
  supplier_siren text,
  reason_fr text
)
--> statement-breakpoint
create table pa_webhook_calls (
  signature text primary key,
  received_at timestamptz default now() not null
)
--> statement-breakpoint
create table pa_webhooks (
  webhook_id text primary key,
  callback_url text not null,
  signing_key text not null,
  created_at timestamptz default now() not null,
  last_call_at timestamptz,
  pa_origin text
)
--> statement-breakpoint
create table paces (
  name text primary key,
  begun_at timestamptz not null,
  taken integer not null
)
--> statement-breakpoint
create table record_locks (
  hash text primary key,
  app text not null,
  screen text not null,
  key jsonb not null,
  token text not null,
  username text not null,
  display_name text not null,
  session text,
  announced boolean not null,
  acquired_at timestamptz default clock_timestamp() not null,
  expires_at timestamptz not null,
  writing_until timestamptz
)
--> statement-breakpoint
create table roles (
  name text primary key,
  display_name text default '' not null,
  description text default '' not null,
  built_in boolean default false not null,
  permissions text[] default '{}'::text[] not null,
  inherits_from text[] default '{}'::text[] not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  version bigint default 1 not null,
  constraint roles_anonymous check (((name <> 'anon'::text) or ((permissions = '{}'::text[]) and (inherits_from = '{}'::text[])))),
  constraint roles_everything check (((name = 'admin'::text) or (not ('*' = any (permissions)))))
)
--> statement-breakpoint
create table rule_overrides (
  id bigserial primary key,
  rule_set text not null,
  rule text not null,
  level text not null,
  author text not null,
  reason text not null,
  expires_at timestamptz not null,
  created_at timestamptz default now() not null,
  withdrawn_by text,
  withdrawn_at timestamptz,
  constraint rule_overrides_reason check ((length(reason) > 0))
)
--> statement-breakpoint
create table rule_sets (
  id text not null,
  version text not null,
  manifest jsonb,
  files jsonb,
  sha256 text,
  installed_by text not null,
  installed_at timestamptz default now() not null,
  active boolean default true not null,
  effective_from date,
  activated_at timestamptz,
  activated_by text,
  constraint rule_sets_id_version_pk primary key (id, version)
)
--> statement-breakpoint
create table saved_queries (
  key text primary key,
  label text not null,
  description text default '' not null,
  sql text not null,
  updated_by text,
  updated_at timestamptz default now() not null
)
--> statement-breakpoint
create table schema_revisions (
  id serial primary key,
  name text not null,
  version text not null,
  fingerprint text not null,
  product text not null,
  by text not null,
  at timestamptz default now() not null
)
--> statement-breakpoint
create table sign_in_attempts (
  key text primary key,
  failures integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  succeeded_at timestamptz
)
--> statement-breakpoint
create table signing_keys (
  kid text primary key,
  private_jwk text not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz
)
--> statement-breakpoint
create table stored_contents (
  id uuid primary key,
  size bigint,
  begun_at timestamptz default now() not null,
  replaced_at timestamptz,
  place text default 'database' not null,
  installation uuid
)
--> statement-breakpoint
create table stored_files (
  path text primary key,
  folder text not null,
  content_id uuid,
  size bigint default 0 not null,
  modified timestamptz default now() not null
)
--> statement-breakpoint
create table stylesheet_revisions (
  path text not null,
  revision integer not null,
  at timestamptz default now() not null,
  author text not null,
  content bytea not null,
  sha256 text not null,
  fault text,
  fault_fr text,
  constraint stylesheet_revisions_path_revision_pk primary key (path, revision)
)
--> statement-breakpoint
create table tasks (
  id bigserial primary key,
  queue text not null,
  name text not null,
  payload jsonb not null,
  state text default 'ready' not null,
  attempts integer default 0 not null,
  max_attempts integer not null,
  run_at timestamptz default now() not null,
  relayed_at timestamptz,
  lease_until timestamptz,
  fence bigint default 0 not null,
  dedupe_key text,
  last_error text,
  created_at timestamptz default now() not null,
  holder text,
  deaths integer default 0 not null,
  evidence jsonb default '[]' not null,
  told_at timestamptz,
  turn_of text,
  turn_in text,
  suspect boolean default false not null,
  alone boolean default false not null,
  last_error_fr text,
  trace text
)
--> statement-breakpoint
create table templates (
  name text primary key,
  type text not null,
  properties jsonb not null,
  owner text,
  updated_at timestamptz default now() not null,
  version bigint default nextval('template_versions'::regclass) not null,
  secrets text[] default '{}'::text[] not null
)
--> statement-breakpoint
create table themes (
  name text not null,
  key text not null,
  "position" integer not null,
  light text not null,
  dark text not null,
  constraint themes_name_key_pk primary key (name, key)
)
--> statement-breakpoint
create table upload_usage (
  username text not null,
  day date not null,
  bytes bigint not null,
  constraint upload_usage_username_day_pk primary key (username, day)
)
--> statement-breakpoint
create table users (
  username text primary key,
  display_name text default '' not null,
  email text,
  language text,
  password_hash text,
  active boolean default true not null,
  epoch bigint default 1 not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  password_changed_at timestamptz,
  last_sign_in_at timestamptz,
  session_epoch bigint default 1 not null,
  claims jsonb default '{}' not null
)
--> statement-breakpoint
create table findings (
  id bigserial primary key,
  invoice_id bigint,
  run_id uuid,
  doc text default '' not null,
  dct text default '' not null,
  kco text default '' not null,
  seq integer not null,
  level text not null,
  source text not null,
  rule text not null,
  message text not null,
  message_en text not null,
  business_term text,
  location text default '' not null,
  line integer default 0 not null,
  col integer default 0 not null,
  value text,
  expected text,
  source_field text,
  search_text text default '' not null,
  created_at timestamptz default now() not null,
  evaluated boolean default true not null,
  constraint findings_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id) on delete cascade
)
--> statement-breakpoint
create table lifecycle_events (
  invoice_id bigint not null,
  seq integer not null,
  status_code text not null,
  message text default '' not null,
  reason_code text,
  action_code text,
  source text not null,
  pa_event_id text,
  data jsonb,
  occurred_at timestamptz not null,
  created_at timestamptz default now() not null,
  message_fr text,
  announced boolean,
  constraint lifecycle_events_invoice_id_seq_pk primary key (invoice_id, seq),
  constraint lifecycle_events_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id) on delete cascade
)
--> statement-breakpoint
create table invoice_lines (
  invoice_id bigint not null,
  seq integer not null,
  line_id integer not null,
  description text,
  item_id text,
  quantity numeric(24,6),
  unit text,
  unit_price numeric(28,10),
  line_amount numeric(24,6),
  allowance numeric(24,6),
  currency text,
  tax_category text,
  tax_rate numeric(12,6),
  tax_exemption text,
  constraint invoice_lines_invoice_id_seq_pk primary key (invoice_id, seq),
  constraint invoice_lines_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id) on delete cascade
)
--> statement-breakpoint
create table invoice_vat (
  invoice_id bigint not null,
  seq integer not null,
  tax_category text,
  tax_rate numeric(12,6),
  taxable_amount numeric(24,6),
  tax_amount numeric(24,6),
  currency text,
  tax_exemption text,
  direction text,
  issue_date date,
  constraint invoice_vat_invoice_id_seq_pk primary key (invoice_id, seq),
  constraint invoice_vat_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id) on delete cascade
)
--> statement-breakpoint
create table ai_messages (
  id uuid primary key,
  conversation_id uuid not null,
  seq integer not null,
  role text not null,
  parts json not null,
  input_tokens integer,
  output_tokens integer,
  finish_reason text,
  created_at timestamptz default now() not null,
  constraint ai_messages_order unique (conversation_id, seq),
  constraint ai_messages_conversation_id_ai_conversations_id_fk foreign key (conversation_id) references ai_conversations(id) on delete cascade
)
--> statement-breakpoint
create table ai_shares (
  conversation_id uuid primary key,
  token_hash text not null,
  owner text not null,
  snapshot json not null,
  include_results boolean not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz not null,
  constraint ai_shares_token_hash_unique unique (token_hash),
  constraint ai_shares_conversation_id_ai_conversations_id_fk foreign key (conversation_id) references ai_conversations(id) on delete cascade
)
--> statement-breakpoint
create table configuration_texts (
  section text not null,
  revision bigint not null,
  text text not null,
  tag text not null,
  constraint configuration_texts_section_revision_pk primary key (section, revision),
  constraint configuration_texts_revision_configuration_revisions_id_fk foreign key (revision) references configuration_revisions(id)
)
--> statement-breakpoint
create table evidence (
  invoice_id bigint not null,
  seq integer not null,
  kind text not null,
  at text not null,
  content_sha256 text,
  meta text not null,
  prev text not null,
  hash text not null,
  constraint evidence_invoice_id_seq_pk primary key (invoice_id, seq),
  constraint evidence_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id)
)
--> statement-breakpoint
create table inbox_reads (
  delivery_id uuid not null,
  username text not null,
  read_at timestamptz default now() not null,
  constraint inbox_reads_delivery_id_username_pk primary key (delivery_id, username),
  constraint inbox_reads_delivery_id_notification_deliveries_id_fk foreign key (delivery_id) references notification_deliveries(id) on delete cascade
)
--> statement-breakpoint
create table invoice_documents (
  invoice_id bigint not null,
  kind text not null,
  content text not null,
  sha256 text not null,
  created_at timestamptz default now() not null,
  original text,
  constraint invoice_documents_invoice_id_kind_pk primary key (invoice_id, kind),
  constraint invoice_documents_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id) on delete cascade
)
--> statement-breakpoint
create table job_authors (
  job text not null,
  revision bigint not null,
  author text,
  constraint job_authors_job_revision_pk primary key (job, revision),
  constraint job_authors_revision_configuration_revisions_id_fk foreign key (revision) references configuration_revisions(id)
)
--> statement-breakpoint
create table job_logs (
  run_id uuid not null,
  seq integer not null,
  at timestamptz not null,
  level text not null,
  step text,
  message text not null,
  message_fr text,
  data jsonb,
  constraint job_logs_run_id_seq_pk primary key (run_id, seq),
  constraint job_logs_run_id_job_runs_id_fk foreign key (run_id) references job_runs(id) on delete cascade
)
--> statement-breakpoint
create table job_rows (
  run_id uuid not null,
  "position" integer not null,
  part integer not null,
  rows jsonb not null,
  constraint job_rows_run_id_position_part_pk primary key (run_id, "position", part),
  constraint job_rows_run_id_job_runs_id_fk foreign key (run_id) references job_runs(id) on delete cascade
)
--> statement-breakpoint
create table job_steps (
  run_id uuid not null,
  "position" integer not null,
  id text not null,
  section text not null,
  kind text not null,
  status text default 'pending' not null,
  attempt integer default 0 not null,
  row_count integer,
  output jsonb,
  needs text[] default '{}'::text[] not null,
  progress jsonb,
  resting boolean default false not null,
  error_code text,
  error text,
  error_fr text,
  started_at timestamptz,
  ended_at timestamptz,
  traits jsonb default '[]' not null,
  constraint job_steps_run_id_position_pk primary key (run_id, "position"),
  constraint job_steps_run_id_job_runs_id_fk foreign key (run_id) references job_runs(id) on delete cascade
)
--> statement-breakpoint
create table pa_quarantine_files (
  flow_id text primary key,
  name text not null,
  size integer not null,
  bytes bytea not null,
  constraint pa_quarantine_files_flow_id_pa_quarantine_flow_id_fk foreign key (flow_id) references pa_quarantine(flow_id) on delete cascade
)
--> statement-breakpoint
create table run_items (
  run_id uuid not null,
  index integer not null,
  "offset" bigint not null,
  length integer not null,
  line integer not null,
  envelope_open text,
  envelope_close text,
  state text default 'pending' not null,
  doc text,
  dct text,
  kco text,
  message text,
  finished_at timestamptz,
  message_fr text,
  amount numeric(24,6),
  currency text,
  constraint run_items_run_id_index_pk primary key (run_id, index),
  constraint run_items_run_id_runs_id_fk foreign key (run_id) references runs(id) on delete cascade
)
--> statement-breakpoint
create table run_logs (
  id bigserial primary key,
  run_id uuid not null,
  item integer,
  severity text not null,
  module text not null,
  submodule text not null,
  message text not null,
  created_at timestamptz default now() not null,
  message_fr text,
  constraint run_logs_run_id_runs_id_fk foreign key (run_id) references runs(id) on delete cascade
)
--> statement-breakpoint
create table sessions (
  id uuid primary key,
  username text not null,
  method text not null,
  address text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  epoch bigint default 1 not null,
  constraint sessions_username_fkey foreign key (username) references users(username) on delete cascade
)
--> statement-breakpoint
create table status_messages (
  id uuid primary key,
  invoice_id bigint not null,
  status_code text not null,
  state text not null,
  payload text not null,
  payload_sha256 text not null,
  said jsonb not null,
  occurred_at timestamptz not null,
  created_by text not null,
  flow_id text,
  attempts integer default 0 not null,
  probes integer default 0 not null,
  last_error text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  last_error_fr text,
  constraint status_messages_flow_id_unique unique (flow_id),
  constraint status_messages_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id)
)
--> statement-breakpoint
create table stored_chunks (
  content_id uuid not null,
  number integer not null,
  bytes bytea not null,
  constraint stored_chunks_pkey primary key (content_id, number),
  constraint stored_chunks_content_id_fkey foreign key (content_id) references stored_contents(id) on delete cascade
)
--> statement-breakpoint
create table submissions (
  id uuid primary key,
  invoice_id bigint not null,
  generation integer not null,
  state text not null,
  payload_sha256 text not null,
  flow_id text,
  attempts integer default 0 not null,
  probes integer default 0 not null,
  last_error text,
  run_id uuid,
  run_item integer,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  last_error_fr text,
  constraint "submissions_flowId_unique" unique (flow_id),
  constraint submissions_invoice_id_invoices_id_fk foreign key (invoice_id) references invoices(id)
)
--> statement-breakpoint
create table user_identities (
  issuer text not null,
  subject text not null,
  username text not null,
  created_at timestamptz default now() not null,
  constraint user_identities_issuer_subject_pk primary key (issuer, subject),
  constraint user_identities_username_fkey foreign key (username) references users(username) on delete cascade
)
--> statement-breakpoint
create table user_roles (
  username text not null,
  role text not null,
  constraint user_roles_username_role_pk primary key (username, role),
  constraint user_roles_role_fkey foreign key (role) references roles(name) on delete restrict,
  constraint user_roles_username_fkey foreign key (username) references users(username) on delete cascade
)
--> statement-breakpoint
create table refresh_tokens (
  token_sha256 text primary key,
  session_id uuid not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint refresh_tokens_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade
)
--> statement-breakpoint
create table submission_attempts (
  submission_id uuid not null,
  n integer not null,
  kind text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  http_status integer,
  detail text,
  detail_fr text,
  constraint submission_attempts_submission_id_n_pk primary key (submission_id, n),
  constraint submission_attempts_submission_id_submissions_id_fk foreign key (submission_id) references submissions(id) on delete cascade
)
--> statement-breakpoint
create index ai_conversations_by_age on ai_conversations using btree (updated_at)
--> statement-breakpoint
create index ai_conversations_of_owner on ai_conversations using btree (owner, updated_at, id)
--> statement-breakpoint
create index ai_questions_of_owner on ai_questions using btree (owner)
--> statement-breakpoint
create index audit_log_by_actor on audit_log using btree (actor, seq)
--> statement-breakpoint
create index audit_log_by_event on audit_log using btree (event text_pattern_ops, seq)
--> statement-breakpoint
create index audit_log_by_target on audit_log using btree (target, seq)
--> statement-breakpoint
create index audit_log_by_time on audit_log using btree (at)
--> statement-breakpoint
create index downloads_by_date on downloads using btree (created_at)
--> statement-breakpoint
create index findings_by_created on findings using btree (created_at, id)
--> statement-breakpoint
create index findings_by_dct on findings using btree ("left"(dct, 100), id)
--> statement-breakpoint
create index findings_by_doc on findings using btree ("left"(doc, 100), id)
--> statement-breakpoint
create index findings_by_gravity on findings using btree (array_position('{INFO,WARNING,ERROR,FATAL}'::text[], level), id)
--> statement-breakpoint
create index findings_by_kco on findings using btree ("left"(kco, 100), id)
--> statement-breakpoint
create index findings_by_message on findings using btree ("left"(message, 100), id)
--> statement-breakpoint
create index findings_by_message_en on findings using btree ("left"(message_en, 100), id)
--> statement-breakpoint
create index findings_by_rule on findings using btree ("left"(rule, 100), id)
--> statement-breakpoint
create index findings_by_seq on findings using btree (seq, id)
--> statement-breakpoint
create index findings_by_source on findings using btree ("left"(source, 100), id)
--> statement-breakpoint
create index findings_of_invoice on findings using btree (invoice_id, seq)
--> statement-breakpoint
create index findings_of_no_invoice on findings using btree (doc, dct, kco) where (invoice_id is null)
--> statement-breakpoint
create index findings_of_run on findings using btree (run_id, id)
--> statement-breakpoint
create index findings_words on findings using gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '::text), ''::text)))
--> statement-breakpoint
create index idempotency_keys_created_at_index on idempotency_keys using btree (created_at)
--> statement-breakpoint
create unique index inbound_files_content on inbound_files using btree (source, sha256)
--> statement-breakpoint
create index invoice_vat_of_direction on invoice_vat using btree (direction, issue_date, currency, tax_rate, taxable_amount, tax_amount)
--> statement-breakpoint
create index invoices_attention on invoices using btree (issue_date, id) where ((attention is not null) or (treatment = 'UNDECIDED'::text))
--> statement-breakpoint
create index invoices_by_created on invoices using btree (created_at, id)
--> statement-breakpoint
create index invoices_by_due_date on invoices using btree (due_date, issue_date, id)
--> statement-breakpoint
create index invoices_by_issue_date on invoices using btree (issue_date, id, direction)
--> statement-breakpoint
create index invoices_by_number on invoices using btree (ubl_number, id)
--> statement-breakpoint
create index invoices_by_total_ttc on invoices using btree (total_ttc, id)
--> statement-breakpoint
create unique index invoices_key on invoices using btree (doc, dct, kco)
--> statement-breakpoint
create index invoices_of_status on invoices using btree (status, issue_date, id, direction)
--> statement-breakpoint
create index invoices_words on invoices using gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '::text), ''::text)))
--> statement-breakpoint
create index job_logs_by_date on job_logs using btree (at)
--> statement-breakpoint
create index job_runs_by_date on job_runs using btree (created_at, id)
--> statement-breakpoint
create index job_runs_by_status on job_runs using btree (status, id)
--> statement-breakpoint
create index job_runs_of_job on job_runs using btree (job, id)
--> statement-breakpoint
create index job_runs_open on job_runs using btree (lock_key, id) where (status = 'running'::text)
--> statement-breakpoint
create index job_runs_open_children on job_runs using btree (parent) where ((parent is not null) and (status = 'running'::text))
--> statement-breakpoint
create index job_runs_working on job_runs using btree (lock_key, id) where ((status = 'running'::text) and (phase <> 'queued'::text))
--> statement-breakpoint
create index lifecycle_by_time on lifecycle_events using btree (occurred_at, status_code, source, invoice_id)
--> statement-breakpoint
create unique index lifecycle_pa_event on lifecycle_events using btree (invoice_id, pa_event_id)
--> statement-breakpoint
create index live_events_age on live_events using btree (created_at)
--> statement-breakpoint
create index live_events_order on live_events using btree (xid, id)
--> statement-breakpoint
create index log_batches_age on log_batches using btree (last_at)
--> statement-breakpoint
create index log_entries_age on log_entries using btree (at)
--> statement-breakpoint
create index log_entries_of_request on log_entries using btree (request_id, id) where (request_id is not null)
--> statement-breakpoint
create index notification_deliveries_by_channel on notification_deliveries using btree (channel, created_at, id)
--> statement-breakpoint
create index notification_deliveries_by_date on notification_deliveries using btree (created_at, id)
--> statement-breakpoint
create index notification_deliveries_by_rule on notification_deliveries using btree (rule, created_at, id)
--> statement-breakpoint
create index notification_deliveries_by_state on notification_deliveries using btree (state, created_at, id)
--> statement-breakpoint
create unique index notification_deliveries_once on notification_deliveries using btree (event_id, rule, channel, address)
--> statement-breakpoint
create index notification_inbox on notification_deliveries using btree (address, created_at, id) where (channel = 'portal'::text)
--> statement-breakpoint
create index pa_flows_by_tracking on pa_flows using btree (tracking_id) where (tracking_id is not null)
--> statement-breakpoint
create index pa_quarantine_by_date on pa_quarantine using btree (created_at, flow_id)
--> statement-breakpoint
create index pa_quarantine_by_kind on pa_quarantine using btree (kind, created_at, flow_id)
--> statement-breakpoint
create index pa_quarantine_due on pa_quarantine using btree (next_at) where (next_at is not null)
--> statement-breakpoint
create index pa_quarantine_waiting on pa_quarantine using btree (invoice_number) where (kind = 'waiting'::text)
--> statement-breakpoint
create index record_locks_end on record_locks using btree (expires_at)
--> statement-breakpoint
create index record_locks_holder on record_locks using btree (username)
--> statement-breakpoint
create index refresh_tokens_of_session on refresh_tokens using btree (session_id)
--> statement-breakpoint
create index rule_overrides_standing on rule_overrides using btree (rule_set, rule) where (withdrawn_at is null)
--> statement-breakpoint
create index run_items_open on run_items using btree (run_id) where (state = any (array['pending'::text, 'recorded'::text]))
--> statement-breakpoint
create index run_logs_of_run on run_logs using btree (run_id, id)
--> statement-breakpoint
create index runs_by_date on runs using btree (created_at, id)
--> statement-breakpoint
create index runs_by_file_name on runs using btree (regexp_replace(file, '^.*/'::text, ''::text))
--> statement-breakpoint
create index runs_by_state on runs using btree (state, created_at, id)
--> statement-breakpoint
create index runs_of_template on runs using btree (template, created_at, id)
--> statement-breakpoint
create index runs_of_user on runs using btree (started_by, created_at, id)
--> statement-breakpoint
create index runs_under_way on runs using btree (served_at) where (state = 'processing'::text)
--> statement-breakpoint
create index sessions_age on sessions using btree (expires_at)
--> statement-breakpoint
create index sessions_open on sessions using btree (username) where (ended_at is null)
--> statement-breakpoint
create index sign_in_attempts_age on sign_in_attempts using btree (last_at)
--> statement-breakpoint
create index status_messages_of_invoice on status_messages using btree (invoice_id, created_at)
--> statement-breakpoint
create unique index status_messages_one_open on status_messages using btree (invoice_id) where (state = any (array['intent'::text, 'sending'::text, 'ambiguous'::text, 'probing'::text, 'sent'::text, 'parked'::text]))
--> statement-breakpoint
create index status_messages_stuck on status_messages using btree (created_at, id) where (state = any (array['parked'::text, 'refused'::text]))
--> statement-breakpoint
create index stored_files_content on stored_files using btree (content_id)
--> statement-breakpoint
create index stored_files_folder on stored_files using btree (folder)
--> statement-breakpoint
create index submissions_by_date on submissions using btree (created_at, id)
--> statement-breakpoint
create index submissions_by_state on submissions using btree (state, updated_at)
--> statement-breakpoint
create unique index submissions_generation on submissions using btree (invoice_id, generation)
--> statement-breakpoint
create index submissions_of_state on submissions using btree (state, created_at, id)
--> statement-breakpoint
create unique index submissions_one_open on submissions using btree (invoice_id) where (state = any (array['intent'::text, 'sending'::text, 'ambiguous'::text, 'probing'::text]))
--> statement-breakpoint
create unique index tasks_dedupe on tasks using btree (dedupe_key) where (state = 'ready'::text)
--> statement-breakpoint
create index tasks_in_turn on tasks using btree (queue, turn_of, turn_in, run_at, id) where ((state = 'ready'::text) and (relayed_at is null) and (turn_in is not null))
--> statement-breakpoint
create index tasks_of_submission on tasks using btree (((payload ->> 'submissionId'::text))) where (name = 'submit_invoice'::text)
--> statement-breakpoint
create index tasks_relayed on tasks using btree (relayed_at) where ((state = 'ready'::text) and (relayed_at is not null))
--> statement-breakpoint
create index tasks_running on tasks using btree (lease_until) where (state = 'running'::text)
--> statement-breakpoint
create index tasks_stopped on tasks using btree (id) where (state = any (array['dead'::text, 'poisoned'::text]))
--> statement-breakpoint
create index tasks_suspect on tasks using btree (run_at, id) where suspect
--> statement-breakpoint
create index tasks_to_relay on tasks using btree (run_at, id) where ((state = 'ready'::text) and (relayed_at is null))
--> statement-breakpoint
create index tasks_waiting on tasks using btree (name) where (state = 'ready'::text)
--> statement-breakpoint
create index user_identities_of_user on user_identities using btree (username)
--> statement-breakpoint
create index user_roles_of_role on user_roles using btree (role)
--> statement-breakpoint
CREATE FUNCTION evidence_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	RAISE EXCEPTION 'Evidence is append-only: % of % is refused', TG_OP, TG_TABLE_NAME;
END
$$
--> statement-breakpoint
CREATE FUNCTION passerelle_note_clock() RETURNS TABLE(seconds double precision, moved_rows integer)
    LANGUAGE plpgsql
    AS $_$
DECLARE
	seen timestamptz;
	this_moment timestamptz;
	back interval;
	back_ms bigint;
	now_ms bigint;
	n integer;
	total integer := 0;
BEGIN
	SELECT seen_at INTO seen FROM clock_marks FOR UPDATE;
	this_moment := clock_timestamp();
	back := seen - this_moment;
	IF back IS NULL OR back <= interval '1 minute' THEN
		INSERT INTO clock_marks (seen_at) VALUES (this_moment)
			ON CONFLICT (id) DO UPDATE SET seen_at = greatest(clock_marks.seen_at, excluded.seen_at);
		RETURN QUERY SELECT 0::double precision, 0;
		RETURN;
	END IF;
	back_ms := extract(epoch FROM back) * 1000;
	now_ms := extract(epoch FROM this_moment) * 1000;
	UPDATE tasks SET run_at = run_at - back WHERE state IN ('ready', 'running') AND run_at > this_moment;
	GET DIAGNOSTICS n = ROW_COUNT; total := total + n;
	UPDATE tasks SET relayed_at = NULL WHERE state = 'ready' AND relayed_at > this_moment;
	UPDATE tasks SET lease_until = lease_until - back WHERE state = 'running' AND lease_until > this_moment;
	GET DIAGNOSTICS n = ROW_COUNT; total := total + n;
	UPDATE pa_cursors SET lease_until = lease_until - back WHERE lease_until > this_moment;
	UPDATE pa_cursors SET covers_until = covers_until - back WHERE covers_until > this_moment;
	UPDATE pa_cursors SET started_at = started_at - back WHERE started_at > this_moment;
	UPDATE pa_quarantine SET next_at = next_at - back WHERE next_at > this_moment;
	GET DIAGNOSTICS n = ROW_COUNT; total := total + n;
	UPDATE breakers SET until = until - back WHERE until > this_moment;
	UPDATE job_runs SET wake_at = wake_at - back WHERE wake_at > this_moment;
	GET DIAGNOSTICS n = ROW_COUNT; total := total + n;
	UPDATE job_schedules SET last_due = this_moment WHERE last_due > this_moment;
	UPDATE record_locks SET expires_at = expires_at - back, writing_until = writing_until - back WHERE expires_at > this_moment;
	UPDATE ai_conversations SET turn_until = turn_until - back WHERE turn_until > this_moment;
	UPDATE sign_in_attempts SET blocked_until = blocked_until - back WHERE blocked_until > this_moment;
	UPDATE call_rates SET spent_until = this_moment WHERE spent_until > this_moment;
	UPDATE paces SET begun_at = this_moment WHERE begun_at > this_moment;
	IF to_regclass('bullmq.job') IS NOT NULL THEN -- the broker, where it is in this database
		EXECUTE 'UPDATE bullmq.job SET locked_until_ms = locked_until_ms - $1 WHERE locked_until_ms > $2' USING back_ms, now_ms;
		EXECUTE 'UPDATE bullmq.job SET process_at_ms = process_at_ms - $1 WHERE process_at_ms > $2' USING back_ms, now_ms;
		EXECUTE 'DELETE FROM bullmq.meta WHERE field = $1' USING 'stalled-check';
		EXECUTE 'DELETE FROM bullmq.rate_limit';
	END IF;
	UPDATE clock_marks SET seen_at = this_moment, put_back_at = this_moment, put_back_s = extract(epoch FROM back), moved = total;
	RETURN QUERY SELECT extract(epoch FROM back)::double precision, total;
END $_$
--> statement-breakpoint
CREATE FUNCTION passerelle_notify() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	PERFORM pg_notify(TG_ARGV[0], '');
	RETURN NULL;
END $$
--> statement-breakpoint
CREATE FUNCTION refuse_change_of_audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	RAISE EXCEPTION 'The audit log can only be added to';
END
$$
--> statement-breakpoint
create trigger audit_log_append_only before delete or update or truncate on audit_log for each statement execute function refuse_change_of_audit()
--> statement-breakpoint
create trigger evidence_stays before delete or update or truncate on evidence for each statement execute function evidence_stays()
--> statement-breakpoint
create trigger evidence_stays before delete or update or truncate on evidence_contents for each statement execute function evidence_stays()
--> statement-breakpoint
create trigger live_notify after insert on live_events for each statement execute function passerelle_notify('passerelle_live')
--> statement-breakpoint
create trigger tasks_notify after insert on tasks for each statement execute function passerelle_notify('passerelle_tasks')
--> statement-breakpoint
create view passerelle.audit as
 select audit_log.seq,
    audit_log.at,
    audit_log.actor,
    audit_log.event,
    audit_log.target
   from audit_log
--> statement-breakpoint
create view passerelle.deliveries as
 select notification_deliveries.id,
    notification_deliveries.event_id,
    notification_deliveries.rule,
    notification_deliveries.channel,
    notification_deliveries.state,
    (notification_deliveries.notice ->> 'doc'::text) as doc,
    (notification_deliveries.notice ->> 'dct'::text) as dct,
    (notification_deliveries.notice ->> 'kco'::text) as kco,
    notification_deliveries.attempts,
    notification_deliveries.created_at,
    notification_deliveries.settled_at
   from notification_deliveries
--> statement-breakpoint
create view passerelle.findings as
 select findings.id,
    findings.invoice_id,
    findings.run_id,
    findings.doc,
    findings.dct,
    findings.kco,
    findings.seq,
    findings.level,
    findings.source,
    findings.rule,
    findings.message,
    findings.message_en,
    findings.business_term,
    findings.location,
    findings.line,
    findings.col,
    findings.value,
    findings.expected,
    findings.source_field,
    findings.evaluated,
    findings.created_at
   from findings
--> statement-breakpoint
create view passerelle.invoice_history as
 select lifecycle_events.invoice_id,
    lifecycle_events.seq,
    lifecycle_events.status_code,
    lifecycle_events.message,
    lifecycle_events.reason_code,
    lifecycle_events.action_code,
    lifecycle_events.source,
    lifecycle_events.occurred_at,
    lifecycle_events.created_at,
    lifecycle_events.message_fr
   from lifecycle_events
--> statement-breakpoint
create view passerelle.invoice_lines as
 select invoice_lines.invoice_id,
    invoice_lines.seq,
    invoice_lines.line_id,
    invoice_lines.description,
    invoice_lines.item_id,
    invoice_lines.quantity,
    invoice_lines.unit,
    invoice_lines.unit_price,
    invoice_lines.line_amount,
    invoice_lines.allowance,
    invoice_lines.currency,
    invoice_lines.tax_category,
    invoice_lines.tax_rate,
    invoice_lines.tax_exemption
   from invoice_lines
--> statement-breakpoint
create view passerelle.invoice_vat as
 select invoice_vat.invoice_id,
    invoice_vat.seq,
    invoice_vat.tax_category,
    invoice_vat.tax_rate,
    invoice_vat.taxable_amount,
    invoice_vat.tax_amount,
    invoice_vat.currency,
    invoice_vat.tax_exemption,
    invoice_vat.direction,
    invoice_vat.issue_date
   from invoice_vat
--> statement-breakpoint
create view passerelle.invoices as
 select invoices.id,
    invoices.doc,
    invoices.dct,
    invoices.kco,
    invoices.direction,
    invoices.template,
    invoices.ubl_number,
    invoices.issue_date,
    invoices.due_date,
    invoices.invoice_type,
    invoices.process_type,
    invoices.currency,
    invoices.total_ht,
    invoices.total_vat,
    invoices.total_ttc,
    invoices.amount_due,
    invoices.supplier_ref,
    invoices.supplier_siren,
    invoices.supplier_name,
    invoices.customer_ref,
    invoices.customer_name,
    invoices.order_ref,
    invoices.contract_ref,
    invoices.status,
    invoices.status_at,
    invoices.reason_code,
    invoices.pa_uuid,
    invoices.job_number,
    invoices.created_at,
    invoices.updated_at
   from invoices
--> statement-breakpoint
create view passerelle.runs as
 select runs.id,
    runs.template,
    runs.file,
    runs.mode,
    runs.source_type,
    runs.job_number,
    runs.state,
    runs.total,
    runs.error,
    runs.error_fr,
    runs.started_by,
    runs.created_at,
    runs.finished_at
   from runs
--> statement-breakpoint
-- PostgreSQL's own compression takes five times as long; PGlite and servers built without lz4 keep it.
do $$
begin
  alter table invoice_documents alter column content set compression lz4;
  alter table status_messages alter column payload set compression lz4;
  alter table log_batches alter column lines set compression lz4;
exception when feature_not_supported then
  alter table log_batches alter column lines set storage external;
end
$$
--> statement-breakpoint
insert into roles (name, display_name, description, built_in, permissions) values
  ('admin', 'Administrator', 'Everything', true, '{*}'),
  ('anon', 'Anonymous', 'Callers without a token, on public endpoints', true, '{}')
--> statement-breakpoint
insert into installations default values
--> statement-breakpoint
insert into clock_marks default values
--> statement-breakpoint
alter table stored_chunks alter column bytes set storage external
