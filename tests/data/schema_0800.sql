set check_function_bodies = false;
CREATE SCHEMA passerelle;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.evidence_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	RAISE EXCEPTION 'Evidence is append-only: % of % is refused', TG_OP, TG_TABLE_NAME;
END
$$;
CREATE FUNCTION public.is_payable(invoice_type text, amount_due numeric) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
	SELECT coalesce(invoice_type, '') NOT IN ('81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '502', '503', '532')
		AND coalesce(amount_due > 0, true)
$$;
CREATE FUNCTION public.passerelle_note_clock() RETURNS TABLE(seconds double precision, moved_rows integer)
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
END $_$;
CREATE FUNCTION public.passerelle_notify() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	PERFORM pg_notify(TG_ARGV[0], '');
	RETURN NULL;
END $$;
CREATE FUNCTION public.refuse_change_of_audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
	RAISE EXCEPTION 'The audit log can only be added to';
END
$$;
CREATE TABLE public.audit_log (
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    address text,
    event text NOT NULL,
    target text,
    before jsonb,
    after jsonb,
    previous_hash text NOT NULL,
    hash text NOT NULL
);
CREATE VIEW passerelle.audit AS
 SELECT audit_log.seq,
    audit_log.at,
    audit_log.actor,
    audit_log.event,
    audit_log.target
   FROM public.audit_log;
CREATE TABLE public.notification_deliveries (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    rule text NOT NULL,
    channel text NOT NULL,
    address text NOT NULL,
    state text NOT NULL,
    notice jsonb NOT NULL,
    subject text DEFAULT ''::text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    attachment text,
    outputs jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    settled_at timestamp with time zone,
    owner text,
    last_error_fr text
);
CREATE VIEW passerelle.deliveries AS
 SELECT notification_deliveries.id,
    notification_deliveries.event_id,
    notification_deliveries.rule,
    notification_deliveries.channel,
    notification_deliveries.state,
    (notification_deliveries.notice ->> 'doc'::text) AS doc,
    (notification_deliveries.notice ->> 'dct'::text) AS dct,
    (notification_deliveries.notice ->> 'kco'::text) AS kco,
    notification_deliveries.attempts,
    notification_deliveries.created_at,
    notification_deliveries.settled_at
   FROM public.notification_deliveries;
CREATE TABLE public.findings (
    id bigint NOT NULL,
    invoice_id bigint,
    run_id uuid,
    doc text DEFAULT ''::text NOT NULL,
    dct text DEFAULT ''::text NOT NULL,
    kco text DEFAULT ''::text NOT NULL,
    seq integer NOT NULL,
    level text NOT NULL,
    source text NOT NULL,
    rule text NOT NULL,
    message text NOT NULL,
    message_en text NOT NULL,
    business_term text,
    location text DEFAULT ''::text NOT NULL,
    line integer DEFAULT 0 NOT NULL,
    col integer DEFAULT 0 NOT NULL,
    value text,
    expected text,
    source_field text,
    search_text text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    evaluated boolean DEFAULT true NOT NULL
);
CREATE VIEW passerelle.findings AS
 SELECT findings.id,
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
   FROM public.findings;
CREATE TABLE public.lifecycle_events (
    invoice_id bigint NOT NULL,
    seq integer NOT NULL,
    status_code text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    reason_code text,
    action_code text,
    source text NOT NULL,
    pa_event_id text,
    data jsonb,
    occurred_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    message_fr text,
    announced boolean
);
CREATE VIEW passerelle.invoice_history AS
 SELECT lifecycle_events.invoice_id,
    lifecycle_events.seq,
    lifecycle_events.status_code,
    lifecycle_events.message,
    lifecycle_events.reason_code,
    lifecycle_events.action_code,
    lifecycle_events.source,
    lifecycle_events.occurred_at,
    lifecycle_events.created_at,
    lifecycle_events.message_fr
   FROM public.lifecycle_events;
CREATE TABLE public.invoice_lines (
    invoice_id bigint NOT NULL,
    seq integer NOT NULL,
    line_id integer NOT NULL,
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
    tax_exemption text
);
CREATE VIEW passerelle.invoice_lines AS
 SELECT invoice_lines.invoice_id,
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
   FROM public.invoice_lines;
CREATE TABLE public.invoice_vat (
    invoice_id bigint NOT NULL,
    seq integer NOT NULL,
    tax_category text,
    tax_rate numeric(12,6),
    taxable_amount numeric(24,6),
    tax_amount numeric(24,6),
    currency text,
    tax_exemption text,
    direction text,
    issue_date date
);
CREATE VIEW passerelle.invoice_vat AS
 SELECT invoice_vat.invoice_id,
    invoice_vat.seq,
    invoice_vat.tax_category,
    invoice_vat.tax_rate,
    invoice_vat.taxable_amount,
    invoice_vat.tax_amount,
    invoice_vat.currency,
    invoice_vat.tax_exemption,
    invoice_vat.direction,
    invoice_vat.issue_date
   FROM public.invoice_vat;
CREATE TABLE public.invoices (
    id bigint NOT NULL,
    doc text NOT NULL,
    dct text NOT NULL,
    kco text NOT NULL,
    direction text DEFAULT 'issued'::text NOT NULL,
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
    status text NOT NULL,
    status_at timestamp with time zone DEFAULT now() NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    reason_code text,
    pa_uuid text,
    job_number text,
    search_text text DEFAULT ''::text NOT NULL,
    verdict jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    customer_sort text COLLATE pg_catalog."C",
    treatment text,
    treatment_details jsonb,
    pa_rule text,
    pa_rule_source text,
    attention text[]
);
CREATE VIEW passerelle.invoices AS
 SELECT invoices.id,
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
   FROM public.invoices;
CREATE TABLE public.runs (
    id uuid NOT NULL,
    template text,
    file text NOT NULL,
    mode text NOT NULL,
    source_type text NOT NULL,
    job_number text DEFAULT ''::text NOT NULL,
    replace_mode boolean DEFAULT false NOT NULL,
    state text DEFAULT 'splitting'::text NOT NULL,
    envelope_open text,
    envelope_close text,
    total integer DEFAULT 0 NOT NULL,
    error text,
    started_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    next_item integer DEFAULT 0 NOT NULL,
    served_at timestamp with time zone DEFAULT now() NOT NULL,
    error_fr text,
    file_version text,
    file_size bigint,
    treatment text,
    preview boolean DEFAULT false NOT NULL
);
CREATE VIEW passerelle.runs AS
 SELECT runs.id,
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
   FROM public.runs;
CREATE TABLE public.ai_conversations (
    id uuid NOT NULL,
    owner text NOT NULL,
    title text NOT NULL,
    app text,
    model text NOT NULL,
    message_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    turn uuid,
    turn_until timestamp with time zone,
    has_read boolean DEFAULT false NOT NULL
);
CREATE TABLE public.ai_messages (
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    seq integer NOT NULL,
    role text NOT NULL,
    parts json NOT NULL,
    input_tokens integer,
    output_tokens integer,
    finish_reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.ai_questions (
    id uuid NOT NULL,
    owner text NOT NULL,
    answer json,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.ai_shares (
    conversation_id uuid NOT NULL,
    token_hash text NOT NULL,
    owner text NOT NULL,
    snapshot json NOT NULL,
    include_results boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.ai_usage (
    username text NOT NULL,
    day date NOT NULL,
    tokens bigint NOT NULL
);
CREATE TABLE public.applications (
    id integer NOT NULL,
    name text NOT NULL,
    pool text DEFAULT 'default'::text NOT NULL,
    row_offset integer DEFAULT 0 NOT NULL,
    row_limit integer DEFAULT 1000 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    dashboard integer DEFAULT 0 NOT NULL,
    theme text DEFAULT 'passerelle'::text NOT NULL
);
CREATE SEQUENCE public.applications_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.applications_id_seq OWNED BY public.applications.id;
CREATE TABLE public.breakers (
    name text NOT NULL,
    state text DEFAULT 'closed'::text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    window_from timestamp with time zone DEFAULT now() NOT NULL,
    until timestamp with time zone DEFAULT now() NOT NULL,
    reason text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.call_rates (
    what text NOT NULL,
    username text NOT NULL,
    spent_until timestamp with time zone NOT NULL
);
CREATE TABLE public.clock_marks (
    id boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    put_back_at timestamp with time zone,
    put_back_s double precision DEFAULT 0 NOT NULL,
    moved integer DEFAULT 0 NOT NULL,
    CONSTRAINT clock_marks_one CHECK (id)
);
CREATE TABLE public.configuration_revisions (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    author text NOT NULL,
    note text NOT NULL
);
CREATE SEQUENCE public.configuration_revisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.configuration_revisions_id_seq OWNED BY public.configuration_revisions.id;
CREATE TABLE public.configuration_sections (
    name text NOT NULL,
    stored bigint NOT NULL,
    active bigint
);
CREATE TABLE public.configuration_texts (
    section text NOT NULL,
    revision bigint NOT NULL,
    text text NOT NULL,
    tag text NOT NULL
);
CREATE TABLE public.daily_usage (
    what text NOT NULL,
    username text NOT NULL,
    day date NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE public.downloads (
    id uuid NOT NULL,
    request jsonb NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    files jsonb DEFAULT '[]'::jsonb NOT NULL,
    error text,
    error_code text,
    started_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    error_fr text
);
CREATE TABLE public.evidence (
    invoice_id bigint NOT NULL,
    seq integer NOT NULL,
    kind text NOT NULL,
    at text NOT NULL,
    content_sha256 text,
    meta text NOT NULL,
    prev text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.evidence_contents (
    sha256 text NOT NULL,
    bytes bytea NOT NULL
);
CREATE SEQUENCE public.findings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.findings_id_seq OWNED BY public.findings.id;
CREATE TABLE public.idempotency_keys (
    key text NOT NULL,
    actor text NOT NULL,
    route text NOT NULL,
    body_sha256 text NOT NULL,
    status integer,
    content_type text,
    body text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    rights text[] DEFAULT '{}'::text[] NOT NULL,
    holder text
);
CREATE TABLE public.inbound_files (
    id bigint NOT NULL,
    source text NOT NULL,
    name text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    modified bigint,
    path text NOT NULL,
    run_id uuid,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE public.inbound_files_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.inbound_files_id_seq OWNED BY public.inbound_files.id;
CREATE TABLE public.inbox_reads (
    delivery_id uuid NOT NULL,
    username text NOT NULL,
    read_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.installations (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    copied_at timestamp with time zone,
    started_at timestamp with time zone,
    setup_token text,
    home text,
    sending_off_at timestamp with time zone
);
CREATE TABLE public.invoice_counts (
    direction text NOT NULL,
    status text NOT NULL,
    slot integer NOT NULL,
    n bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.invoice_documents (
    invoice_id bigint NOT NULL,
    kind text NOT NULL,
    content text NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    original text
);
CREATE SEQUENCE public.invoices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.invoices_id_seq OWNED BY public.invoices.id;
CREATE TABLE public.job_authors (
    job text NOT NULL,
    revision bigint NOT NULL,
    author text
);
CREATE TABLE public.job_logs (
    run_id uuid NOT NULL,
    seq integer NOT NULL,
    at timestamp with time zone NOT NULL,
    level text NOT NULL,
    step text,
    message text NOT NULL,
    message_fr text,
    data jsonb
);
CREATE TABLE public.job_rows (
    run_id uuid NOT NULL,
    "position" integer NOT NULL,
    part integer NOT NULL,
    rows jsonb NOT NULL
);
CREATE TABLE public.job_runs (
    id uuid NOT NULL,
    job text NOT NULL,
    definition jsonb NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    phase text,
    trigger text NOT NULL,
    requested_by text,
    acting_as text,
    params jsonb NOT NULL,
    replay_of uuid,
    from_step text,
    parent uuid,
    awaited boolean DEFAULT false NOT NULL,
    scheduled_for timestamp with time zone,
    attempt integer DEFAULT 0 NOT NULL,
    fence bigint DEFAULT 0 NOT NULL,
    lock_key text NOT NULL,
    lock_limit integer NOT NULL,
    wake_at timestamp with time zone,
    failed_step text,
    error_code text,
    error text,
    error_fr text,
    log_lines integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    revision integer DEFAULT 0 NOT NULL,
    ends_with_parent boolean DEFAULT false NOT NULL,
    param_readers jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.job_schedules (
    job text NOT NULL,
    cron text NOT NULL,
    last_due timestamp with time zone NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.job_steps (
    run_id uuid NOT NULL,
    "position" integer NOT NULL,
    id text NOT NULL,
    section text NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    row_count integer,
    output jsonb,
    needs text[] DEFAULT '{}'::text[] NOT NULL,
    progress jsonb,
    resting boolean DEFAULT false NOT NULL,
    error_code text,
    error text,
    error_fr text,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    traits jsonb DEFAULT '[]'::jsonb NOT NULL
);
CREATE TABLE public.live_events (
    id bigint NOT NULL,
    xid bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    topic text NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    permission text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    audience text
);
CREATE SEQUENCE public.live_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.live_events_id_seq OWNED BY public.live_events.id;
CREATE TABLE public.live_tickets (
    hash text NOT NULL,
    "authorization" text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.log_batches (
    id bigint NOT NULL,
    process text NOT NULL,
    entries integer NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    levels text[] NOT NULL,
    events text[] NOT NULL,
    lines text NOT NULL
);
CREATE SEQUENCE public.log_batches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.log_batches_id_seq OWNED BY public.log_batches.id;
CREATE TABLE public.log_entries (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    level text NOT NULL,
    process text NOT NULL,
    event text NOT NULL,
    request_id text,
    fields jsonb NOT NULL
);
CREATE SEQUENCE public.log_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.log_entries_id_seq OWNED BY public.log_entries.id;
CREATE TABLE public.modules (
    id text NOT NULL,
    "position" integer NOT NULL,
    description text NOT NULL,
    description_fr text NOT NULL
);
CREATE TABLE public.notification_dispatches (
    event_id uuid NOT NULL,
    rule text NOT NULL,
    properties jsonb NOT NULL,
    owner text,
    notice jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone
);
CREATE TABLE public.notification_pdfs (
    event_id uuid NOT NULL,
    language text NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE public.opened_pools (
    name text NOT NULL,
    opened_by text NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    closed boolean DEFAULT false NOT NULL
);
CREATE TABLE public.pa_cursors (
    name text NOT NULL,
    updated_after text,
    cursor text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    scan_newest text,
    lease_holder uuid,
    lease_until timestamp with time zone,
    started_at timestamp with time zone,
    covers_until timestamp with time zone
);
CREATE TABLE public.pa_flows (
    flow_id text NOT NULL,
    flow_type text,
    direction text,
    ack_status text NOT NULL,
    updated_at text,
    handled_at timestamp with time zone DEFAULT now() NOT NULL,
    tracking_id text,
    submitted_at text
);
CREATE TABLE public.pa_quarantine (
    flow_id text NOT NULL,
    reason text NOT NULL,
    content text,
    metadata jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    kind text DEFAULT 'unreadable'::text NOT NULL,
    attempts integer DEFAULT 1 NOT NULL,
    next_at timestamp with time zone,
    invoice_number text,
    supplier_siren text,
    reason_fr text
);
CREATE TABLE public.pa_quarantine_files (
    flow_id text NOT NULL,
    name text NOT NULL,
    size integer NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE public.pa_webhook_calls (
    signature text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.pa_webhooks (
    webhook_id text NOT NULL,
    callback_url text NOT NULL,
    signing_key text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_call_at timestamp with time zone,
    pa_origin text
);
CREATE TABLE public.paces (
    name text NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    taken integer NOT NULL
);
CREATE TABLE public.record_locks (
    hash text NOT NULL,
    app text NOT NULL,
    screen text NOT NULL,
    key jsonb NOT NULL,
    token text NOT NULL,
    username text NOT NULL,
    display_name text NOT NULL,
    session text,
    announced boolean NOT NULL,
    acquired_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    writing_until timestamp with time zone
);
CREATE TABLE public.refresh_tokens (
    token_sha256 text NOT NULL,
    session_id uuid NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.roles (
    name text NOT NULL,
    display_name text DEFAULT ''::text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    built_in boolean DEFAULT false NOT NULL,
    permissions text[] DEFAULT '{}'::text[] NOT NULL,
    inherits_from text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT roles_anonymous CHECK (((name <> 'anon'::text) OR ((permissions = '{}'::text[]) AND (inherits_from = '{}'::text[])))),
    CONSTRAINT roles_everything CHECK (((name = 'admin'::text) OR (NOT ('*'::text = ANY (permissions)))))
);
CREATE TABLE public.rule_overrides (
    id bigint NOT NULL,
    rule_set text NOT NULL,
    rule text NOT NULL,
    level text NOT NULL,
    author text NOT NULL,
    reason text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    withdrawn_by text,
    withdrawn_at timestamp with time zone,
    CONSTRAINT rule_overrides_reason CHECK ((length(reason) > 0))
);
CREATE SEQUENCE public.rule_overrides_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.rule_overrides_id_seq OWNED BY public.rule_overrides.id;
CREATE TABLE public.rule_sets (
    id text NOT NULL,
    version text NOT NULL,
    manifest jsonb,
    files jsonb,
    sha256 text,
    installed_by text NOT NULL,
    installed_at timestamp with time zone DEFAULT now() NOT NULL,
    active boolean DEFAULT true NOT NULL,
    effective_from date,
    activated_at timestamp with time zone,
    activated_by text
);
CREATE TABLE public.run_items (
    run_id uuid NOT NULL,
    index integer NOT NULL,
    "offset" bigint NOT NULL,
    length integer NOT NULL,
    line integer NOT NULL,
    envelope_open text,
    envelope_close text,
    state text DEFAULT 'pending'::text NOT NULL,
    doc text,
    dct text,
    kco text,
    message text,
    finished_at timestamp with time zone,
    message_fr text,
    amount numeric(24,6),
    currency text
);
CREATE TABLE public.run_logs (
    id bigint NOT NULL,
    run_id uuid NOT NULL,
    item integer,
    severity text NOT NULL,
    module text NOT NULL,
    submodule text NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    message_fr text
);
CREATE SEQUENCE public.run_logs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.run_logs_id_seq OWNED BY public.run_logs.id;
CREATE TABLE public.saved_queries (
    key text NOT NULL,
    label text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    sql text NOT NULL,
    updated_by text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.schema_migrations (
    version text NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.schema_revisions (
    id integer NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    fingerprint text NOT NULL,
    product text NOT NULL,
    by text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE public.schema_revisions_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_revisions_id_seq OWNED BY public.schema_revisions.id;
CREATE TABLE public.sessions (
    id uuid NOT NULL,
    username text NOT NULL,
    method text NOT NULL,
    address text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_by text,
    epoch bigint DEFAULT 1 NOT NULL
);
CREATE TABLE public.sign_in_attempts (
    key text NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone,
    succeeded_at timestamp with time zone
);
CREATE TABLE public.signing_keys (
    kid text NOT NULL,
    private_jwk text NOT NULL,
    public_jwk jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);
CREATE TABLE public.status_messages (
    id uuid NOT NULL,
    invoice_id bigint NOT NULL,
    status_code text NOT NULL,
    state text NOT NULL,
    payload text NOT NULL,
    payload_sha256 text NOT NULL,
    said jsonb NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    created_by text NOT NULL,
    flow_id text,
    attempts integer DEFAULT 0 NOT NULL,
    probes integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_error_fr text
);
CREATE TABLE public.stored_chunks (
    content_id uuid NOT NULL,
    number integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.stored_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE public.stored_contents (
    id uuid NOT NULL,
    size bigint,
    begun_at timestamp with time zone DEFAULT now() NOT NULL,
    replaced_at timestamp with time zone,
    place text DEFAULT 'database'::text NOT NULL,
    installation uuid
);
CREATE TABLE public.stored_files (
    path text NOT NULL,
    folder text NOT NULL,
    content_id uuid,
    size bigint DEFAULT 0 NOT NULL,
    modified timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.stylesheet_revisions (
    path text NOT NULL,
    revision integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    author text NOT NULL,
    content bytea NOT NULL,
    sha256 text NOT NULL,
    fault text,
    fault_fr text
);
CREATE TABLE public.submission_attempts (
    submission_id uuid NOT NULL,
    n integer NOT NULL,
    kind text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    outcome text,
    http_status integer,
    detail text,
    detail_fr text
);
CREATE TABLE public.submissions (
    id uuid NOT NULL,
    invoice_id bigint NOT NULL,
    generation integer NOT NULL,
    state text NOT NULL,
    payload_sha256 text NOT NULL,
    flow_id text,
    attempts integer DEFAULT 0 NOT NULL,
    probes integer DEFAULT 0 NOT NULL,
    last_error text,
    run_id uuid,
    run_item integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_error_fr text
);
CREATE TABLE public.tasks (
    id bigint NOT NULL,
    queue text NOT NULL,
    name text NOT NULL,
    payload jsonb NOT NULL,
    state text DEFAULT 'ready'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    relayed_at timestamp with time zone,
    lease_until timestamp with time zone,
    fence bigint DEFAULT 0 NOT NULL,
    dedupe_key text,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    holder text,
    deaths integer DEFAULT 0 NOT NULL,
    evidence jsonb DEFAULT '[]'::jsonb NOT NULL,
    told_at timestamp with time zone,
    turn_of text,
    turn_in text,
    suspect boolean DEFAULT false NOT NULL,
    alone boolean DEFAULT false NOT NULL,
    last_error_fr text,
    trace text
);
CREATE SEQUENCE public.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tasks_id_seq OWNED BY public.tasks.id;
CREATE SEQUENCE public.template_versions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.templates (
    name text NOT NULL,
    type text NOT NULL,
    properties jsonb NOT NULL,
    owner text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    version bigint DEFAULT nextval('public.template_versions'::regclass) NOT NULL,
    secrets text[] DEFAULT '{}'::text[] NOT NULL
);
CREATE TABLE public.themes (
    name text NOT NULL,
    key text NOT NULL,
    "position" integer NOT NULL,
    light text NOT NULL,
    dark text NOT NULL
);
CREATE TABLE public.upload_usage (
    username text NOT NULL,
    day date NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE public.user_identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    username text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.user_roles (
    username text NOT NULL,
    role text NOT NULL
);
CREATE TABLE public.users (
    username text NOT NULL,
    display_name text DEFAULT ''::text NOT NULL,
    email text,
    language text,
    password_hash text,
    active boolean DEFAULT true NOT NULL,
    epoch bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    password_changed_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    session_epoch bigint DEFAULT 1 NOT NULL,
    claims jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE ONLY public.applications ALTER COLUMN id SET DEFAULT nextval('public.applications_id_seq'::regclass);
ALTER TABLE ONLY public.configuration_revisions ALTER COLUMN id SET DEFAULT nextval('public.configuration_revisions_id_seq'::regclass);
ALTER TABLE ONLY public.findings ALTER COLUMN id SET DEFAULT nextval('public.findings_id_seq'::regclass);
ALTER TABLE ONLY public.inbound_files ALTER COLUMN id SET DEFAULT nextval('public.inbound_files_id_seq'::regclass);
ALTER TABLE ONLY public.invoices ALTER COLUMN id SET DEFAULT nextval('public.invoices_id_seq'::regclass);
ALTER TABLE ONLY public.live_events ALTER COLUMN id SET DEFAULT nextval('public.live_events_id_seq'::regclass);
ALTER TABLE ONLY public.log_batches ALTER COLUMN id SET DEFAULT nextval('public.log_batches_id_seq'::regclass);
ALTER TABLE ONLY public.log_entries ALTER COLUMN id SET DEFAULT nextval('public.log_entries_id_seq'::regclass);
ALTER TABLE ONLY public.rule_overrides ALTER COLUMN id SET DEFAULT nextval('public.rule_overrides_id_seq'::regclass);
ALTER TABLE ONLY public.run_logs ALTER COLUMN id SET DEFAULT nextval('public.run_logs_id_seq'::regclass);
ALTER TABLE ONLY public.schema_revisions ALTER COLUMN id SET DEFAULT nextval('public.schema_revisions_id_seq'::regclass);
ALTER TABLE ONLY public.tasks ALTER COLUMN id SET DEFAULT nextval('public.tasks_id_seq'::regclass);
ALTER TABLE ONLY public.ai_conversations
    ADD CONSTRAINT ai_conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_messages
    ADD CONSTRAINT ai_messages_order UNIQUE (conversation_id, seq);
ALTER TABLE ONLY public.ai_messages
    ADD CONSTRAINT ai_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_questions
    ADD CONSTRAINT ai_questions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_shares
    ADD CONSTRAINT ai_shares_pkey PRIMARY KEY (conversation_id);
ALTER TABLE ONLY public.ai_shares
    ADD CONSTRAINT ai_shares_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.ai_usage
    ADD CONSTRAINT ai_usage_username_day_pk PRIMARY KEY (username, day);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_name UNIQUE (name);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.breakers
    ADD CONSTRAINT breakers_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.call_rates
    ADD CONSTRAINT call_rates_what_username_pk PRIMARY KEY (what, username);
ALTER TABLE ONLY public.clock_marks
    ADD CONSTRAINT clock_marks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.configuration_revisions
    ADD CONSTRAINT configuration_revisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.configuration_sections
    ADD CONSTRAINT configuration_sections_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.configuration_texts
    ADD CONSTRAINT configuration_texts_section_revision_pk PRIMARY KEY (section, revision);
ALTER TABLE ONLY public.daily_usage
    ADD CONSTRAINT daily_usage_what_username_day_pk PRIMARY KEY (what, username, day);
ALTER TABLE ONLY public.downloads
    ADD CONSTRAINT downloads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.evidence_contents
    ADD CONSTRAINT evidence_contents_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_invoice_id_seq_pk PRIMARY KEY (invoice_id, seq);
ALTER TABLE ONLY public.findings
    ADD CONSTRAINT findings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_key_actor_route_pk PRIMARY KEY (key, actor, route);
ALTER TABLE ONLY public.inbound_files
    ADD CONSTRAINT inbound_files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbox_reads
    ADD CONSTRAINT inbox_reads_delivery_id_username_pk PRIMARY KEY (delivery_id, username);
ALTER TABLE ONLY public.installations
    ADD CONSTRAINT installations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invoice_counts
    ADD CONSTRAINT invoice_counts_direction_status_slot_pk PRIMARY KEY (direction, status, slot);
ALTER TABLE ONLY public.invoice_documents
    ADD CONSTRAINT invoice_documents_invoice_id_kind_pk PRIMARY KEY (invoice_id, kind);
ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT invoice_lines_invoice_id_seq_pk PRIMARY KEY (invoice_id, seq);
ALTER TABLE ONLY public.invoice_vat
    ADD CONSTRAINT invoice_vat_invoice_id_seq_pk PRIMARY KEY (invoice_id, seq);
ALTER TABLE ONLY public.invoices
    ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.job_authors
    ADD CONSTRAINT job_authors_job_revision_pk PRIMARY KEY (job, revision);
ALTER TABLE ONLY public.job_logs
    ADD CONSTRAINT job_logs_run_id_seq_pk PRIMARY KEY (run_id, seq);
ALTER TABLE ONLY public.job_rows
    ADD CONSTRAINT job_rows_run_id_position_part_pk PRIMARY KEY (run_id, "position", part);
ALTER TABLE ONLY public.job_runs
    ADD CONSTRAINT job_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.job_schedules
    ADD CONSTRAINT job_schedules_job_cron_pk PRIMARY KEY (job, cron);
ALTER TABLE ONLY public.job_steps
    ADD CONSTRAINT job_steps_run_id_position_pk PRIMARY KEY (run_id, "position");
ALTER TABLE ONLY public.lifecycle_events
    ADD CONSTRAINT lifecycle_events_invoice_id_seq_pk PRIMARY KEY (invoice_id, seq);
ALTER TABLE ONLY public.live_events
    ADD CONSTRAINT live_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.live_tickets
    ADD CONSTRAINT live_tickets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.log_batches
    ADD CONSTRAINT log_batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.log_entries
    ADD CONSTRAINT log_entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.modules
    ADD CONSTRAINT modules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notification_deliveries
    ADD CONSTRAINT notification_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notification_dispatches
    ADD CONSTRAINT notification_dispatches_event_id_rule_pk PRIMARY KEY (event_id, rule);
ALTER TABLE ONLY public.notification_pdfs
    ADD CONSTRAINT notification_pdfs_event_id_language_pk PRIMARY KEY (event_id, language);
ALTER TABLE ONLY public.opened_pools
    ADD CONSTRAINT opened_pools_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.pa_cursors
    ADD CONSTRAINT pa_cursors_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.pa_flows
    ADD CONSTRAINT pa_flows_pkey PRIMARY KEY (flow_id);
ALTER TABLE ONLY public.pa_quarantine_files
    ADD CONSTRAINT pa_quarantine_files_pkey PRIMARY KEY (flow_id);
ALTER TABLE ONLY public.pa_quarantine
    ADD CONSTRAINT pa_quarantine_pkey PRIMARY KEY (flow_id);
ALTER TABLE ONLY public.pa_webhook_calls
    ADD CONSTRAINT pa_webhook_calls_pkey PRIMARY KEY (signature);
ALTER TABLE ONLY public.pa_webhooks
    ADD CONSTRAINT pa_webhooks_pkey PRIMARY KEY (webhook_id);
ALTER TABLE ONLY public.paces
    ADD CONSTRAINT paces_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.record_locks
    ADD CONSTRAINT record_locks_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_sha256);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.rule_overrides
    ADD CONSTRAINT rule_overrides_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rule_sets
    ADD CONSTRAINT rule_sets_id_version_pk PRIMARY KEY (id, version);
ALTER TABLE ONLY public.run_items
    ADD CONSTRAINT run_items_run_id_index_pk PRIMARY KEY (run_id, index);
ALTER TABLE ONLY public.run_logs
    ADD CONSTRAINT run_logs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.saved_queries
    ADD CONSTRAINT saved_queries_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.schema_revisions
    ADD CONSTRAINT schema_revisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.status_messages
    ADD CONSTRAINT status_messages_flow_id_unique UNIQUE (flow_id);
ALTER TABLE ONLY public.status_messages
    ADD CONSTRAINT status_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stored_chunks
    ADD CONSTRAINT stored_chunks_pkey PRIMARY KEY (content_id, number);
ALTER TABLE ONLY public.stored_contents
    ADD CONSTRAINT stored_contents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stored_files
    ADD CONSTRAINT stored_files_pkey PRIMARY KEY (path);
ALTER TABLE ONLY public.stylesheet_revisions
    ADD CONSTRAINT stylesheet_revisions_path_revision_pk PRIMARY KEY (path, revision);
ALTER TABLE ONLY public.submission_attempts
    ADD CONSTRAINT submission_attempts_submission_id_n_pk PRIMARY KEY (submission_id, n);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT "submissions_flowId_unique" UNIQUE (flow_id);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.themes
    ADD CONSTRAINT themes_name_key_pk PRIMARY KEY (name, key);
ALTER TABLE ONLY public.upload_usage
    ADD CONSTRAINT upload_usage_username_day_pk PRIMARY KEY (username, day);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_issuer_subject_pk PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_username_role_pk PRIMARY KEY (username, role);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (username);
CREATE INDEX ai_conversations_by_age ON public.ai_conversations USING btree (updated_at);
CREATE INDEX ai_conversations_of_owner ON public.ai_conversations USING btree (owner, updated_at, id);
CREATE INDEX ai_questions_of_owner ON public.ai_questions USING btree (owner);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor, seq);
CREATE INDEX audit_log_by_event ON public.audit_log USING btree (event text_pattern_ops, seq);
CREATE INDEX audit_log_by_target ON public.audit_log USING btree (target, seq);
CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at);
CREATE INDEX downloads_by_date ON public.downloads USING btree (created_at);
CREATE INDEX findings_by_created ON public.findings USING btree (created_at, id);
CREATE INDEX findings_by_dct ON public.findings USING btree ("left"(dct, 100), id);
CREATE INDEX findings_by_doc ON public.findings USING btree ("left"(doc, 100), id);
CREATE INDEX findings_by_gravity ON public.findings USING btree (array_position('{INFO,WARNING,ERROR,FATAL}'::text[], level), id);
CREATE INDEX findings_by_kco ON public.findings USING btree ("left"(kco, 100), id);
CREATE INDEX findings_by_message ON public.findings USING btree ("left"(message, 100), id);
CREATE INDEX findings_by_message_en ON public.findings USING btree ("left"(message_en, 100), id);
CREATE INDEX findings_by_rule ON public.findings USING btree ("left"(rule, 100), id);
CREATE INDEX findings_by_seq ON public.findings USING btree (seq, id);
CREATE INDEX findings_by_source ON public.findings USING btree ("left"(source, 100), id);
CREATE INDEX findings_of_invoice ON public.findings USING btree (invoice_id, seq);
CREATE INDEX findings_of_no_invoice ON public.findings USING btree (doc, dct, kco) WHERE (invoice_id IS NULL);
CREATE INDEX findings_of_run ON public.findings USING btree (run_id, id);
CREATE INDEX findings_words ON public.findings USING gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '::text), ''::text)));
CREATE INDEX idempotency_keys_created_at_index ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX inbound_files_content ON public.inbound_files USING btree (source, sha256);
CREATE INDEX invoice_vat_of_direction ON public.invoice_vat USING btree (direction, issue_date, currency, tax_rate, taxable_amount, tax_amount);
CREATE INDEX invoices_attention ON public.invoices USING btree (issue_date, id) WHERE ((attention IS NOT NULL) OR (treatment = 'UNDECIDED'::text));
CREATE INDEX invoices_by_amount_due ON public.invoices USING btree (amount_due, id);
CREATE INDEX invoices_by_created ON public.invoices USING btree (created_at, id);
CREATE INDEX invoices_by_customer ON public.invoices USING btree (direction, customer_sort, issue_date, id, status);
CREATE INDEX invoices_by_due_date ON public.invoices USING btree (due_date, issue_date, id);
CREATE INDEX invoices_by_issue_date ON public.invoices USING btree (issue_date, id);
CREATE INDEX invoices_by_number ON public.invoices USING btree (ubl_number, id);
CREATE INDEX invoices_by_supplier ON public.invoices USING btree (direction, "left"(lower(regexp_replace(NORMALIZE(supplier_name, NFD), '[\u0300-\u036f]+'::text, ''::text, 'g'::text)), 100) COLLATE "C", issue_date, id, status);
CREATE INDEX invoices_by_total_ht ON public.invoices USING btree (total_ht, id);
CREATE INDEX invoices_by_total_ttc ON public.invoices USING btree (total_ttc, id);
CREATE INDEX invoices_by_type ON public.invoices USING btree ("left"(invoice_type, 100), issue_date, id);
CREATE UNIQUE INDEX invoices_key ON public.invoices USING btree (doc, dct, kco);
CREATE INDEX invoices_of_company ON public.invoices USING btree (kco, issue_date, id);
CREATE INDEX invoices_of_direction ON public.invoices USING btree (direction, issue_date, id);
CREATE INDEX invoices_of_status ON public.invoices USING btree (status, issue_date, id);
CREATE INDEX invoices_words ON public.invoices USING gin (array_to_tsvector(array_remove(string_to_array(search_text, ' '::text), ''::text)));
CREATE INDEX job_logs_by_date ON public.job_logs USING btree (at);
CREATE INDEX job_runs_by_date ON public.job_runs USING btree (created_at, id);
CREATE INDEX job_runs_by_status ON public.job_runs USING btree (status, id);
CREATE INDEX job_runs_of_job ON public.job_runs USING btree (job, id);
CREATE INDEX job_runs_open ON public.job_runs USING btree (lock_key, id) WHERE (status = 'running'::text);
CREATE INDEX job_runs_open_children ON public.job_runs USING btree (parent) WHERE ((parent IS NOT NULL) AND (status = 'running'::text));
CREATE INDEX job_runs_working ON public.job_runs USING btree (lock_key, id) WHERE ((status = 'running'::text) AND (phase <> 'queued'::text));
CREATE INDEX lifecycle_by_time ON public.lifecycle_events USING btree (occurred_at, status_code, source, invoice_id);
CREATE UNIQUE INDEX lifecycle_pa_event ON public.lifecycle_events USING btree (invoice_id, pa_event_id);
CREATE INDEX live_events_age ON public.live_events USING btree (created_at);
CREATE INDEX live_events_order ON public.live_events USING btree (xid, id);
CREATE INDEX log_batches_age ON public.log_batches USING btree (last_at);
CREATE INDEX log_entries_age ON public.log_entries USING btree (at);
CREATE INDEX log_entries_of_request ON public.log_entries USING btree (request_id, id) WHERE (request_id IS NOT NULL);
CREATE INDEX notification_deliveries_by_channel ON public.notification_deliveries USING btree (channel, created_at, id);
CREATE INDEX notification_deliveries_by_date ON public.notification_deliveries USING btree (created_at, id);
CREATE INDEX notification_deliveries_by_rule ON public.notification_deliveries USING btree (rule, created_at, id);
CREATE INDEX notification_deliveries_by_state ON public.notification_deliveries USING btree (state, created_at, id);
CREATE UNIQUE INDEX notification_deliveries_once ON public.notification_deliveries USING btree (event_id, rule, channel, address);
CREATE INDEX notification_inbox ON public.notification_deliveries USING btree (address, created_at, id) WHERE (channel = 'portal'::text);
CREATE INDEX pa_flows_by_tracking ON public.pa_flows USING btree (tracking_id) WHERE (tracking_id IS NOT NULL);
CREATE INDEX pa_quarantine_by_date ON public.pa_quarantine USING btree (created_at, flow_id);
CREATE INDEX pa_quarantine_by_kind ON public.pa_quarantine USING btree (kind, created_at, flow_id);
CREATE INDEX pa_quarantine_due ON public.pa_quarantine USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX pa_quarantine_waiting ON public.pa_quarantine USING btree (invoice_number) WHERE (kind = 'waiting'::text);
CREATE INDEX record_locks_end ON public.record_locks USING btree (expires_at);
CREATE INDEX record_locks_holder ON public.record_locks USING btree (username);
CREATE INDEX refresh_tokens_of_session ON public.refresh_tokens USING btree (session_id);
CREATE INDEX rule_overrides_standing ON public.rule_overrides USING btree (rule_set, rule) WHERE (withdrawn_at IS NULL);
CREATE INDEX run_items_open ON public.run_items USING btree (run_id) WHERE (state = ANY (ARRAY['pending'::text, 'recorded'::text]));
CREATE INDEX run_logs_of_run ON public.run_logs USING btree (run_id, id);
CREATE INDEX runs_by_date ON public.runs USING btree (created_at, id);
CREATE INDEX runs_by_file_name ON public.runs USING btree (regexp_replace(file, '^.*/'::text, ''::text));
CREATE INDEX runs_by_state ON public.runs USING btree (state, created_at, id);
CREATE INDEX runs_of_template ON public.runs USING btree (template, created_at, id);
CREATE INDEX runs_of_user ON public.runs USING btree (started_by, created_at, id);
CREATE INDEX runs_under_way ON public.runs USING btree (served_at) WHERE (state = 'processing'::text);
CREATE INDEX sessions_age ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_open ON public.sessions USING btree (username) WHERE (ended_at IS NULL);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (last_at);
CREATE INDEX status_messages_of_invoice ON public.status_messages USING btree (invoice_id, created_at);
CREATE UNIQUE INDEX status_messages_one_open ON public.status_messages USING btree (invoice_id) WHERE (state = ANY (ARRAY['intent'::text, 'sending'::text, 'ambiguous'::text, 'probing'::text, 'sent'::text, 'parked'::text]));
CREATE INDEX status_messages_stuck ON public.status_messages USING btree (created_at, id) WHERE (state = ANY (ARRAY['parked'::text, 'refused'::text]));
CREATE INDEX stored_files_content ON public.stored_files USING btree (content_id);
CREATE INDEX stored_files_folder ON public.stored_files USING btree (folder);
CREATE INDEX submissions_by_date ON public.submissions USING btree (created_at, id);
CREATE INDEX submissions_by_state ON public.submissions USING btree (state, updated_at);
CREATE UNIQUE INDEX submissions_generation ON public.submissions USING btree (invoice_id, generation);
CREATE INDEX submissions_of_state ON public.submissions USING btree (state, created_at, id);
CREATE UNIQUE INDEX submissions_one_open ON public.submissions USING btree (invoice_id) WHERE (state = ANY (ARRAY['intent'::text, 'sending'::text, 'ambiguous'::text, 'probing'::text]));
CREATE UNIQUE INDEX tasks_dedupe ON public.tasks USING btree (dedupe_key) WHERE (state = 'ready'::text);
CREATE INDEX tasks_in_turn ON public.tasks USING btree (queue, turn_of, turn_in, run_at, id) WHERE ((state = 'ready'::text) AND (relayed_at IS NULL) AND (turn_in IS NOT NULL));
CREATE INDEX tasks_of_submission ON public.tasks USING btree (((payload ->> 'submissionId'::text))) WHERE (name = 'submit_invoice'::text);
CREATE INDEX tasks_relayed ON public.tasks USING btree (relayed_at) WHERE ((state = 'ready'::text) AND (relayed_at IS NOT NULL));
CREATE INDEX tasks_running ON public.tasks USING btree (lease_until) WHERE (state = 'running'::text);
CREATE INDEX tasks_stopped ON public.tasks USING btree (id) WHERE (state = ANY (ARRAY['dead'::text, 'poisoned'::text]));
CREATE INDEX tasks_suspect ON public.tasks USING btree (run_at, id) WHERE suspect;
CREATE INDEX tasks_to_relay ON public.tasks USING btree (run_at, id) WHERE ((state = 'ready'::text) AND (relayed_at IS NULL));
CREATE INDEX tasks_waiting ON public.tasks USING btree (name) WHERE (state = 'ready'::text);
CREATE INDEX user_identities_of_user ON public.user_identities USING btree (username);
CREATE INDEX user_roles_of_role ON public.user_roles USING btree (role);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change_of_audit();
CREATE TRIGGER evidence_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON public.evidence FOR EACH STATEMENT EXECUTE FUNCTION public.evidence_stays();
CREATE TRIGGER evidence_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON public.evidence_contents FOR EACH STATEMENT EXECUTE FUNCTION public.evidence_stays();
CREATE TRIGGER live_notify AFTER INSERT ON public.live_events FOR EACH STATEMENT EXECUTE FUNCTION public.passerelle_notify('passerelle_live');
CREATE TRIGGER tasks_notify AFTER INSERT ON public.tasks FOR EACH STATEMENT EXECUTE FUNCTION public.passerelle_notify('passerelle_tasks');
ALTER TABLE ONLY public.ai_messages
    ADD CONSTRAINT ai_messages_conversation_id_ai_conversations_id_fk FOREIGN KEY (conversation_id) REFERENCES public.ai_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ai_shares
    ADD CONSTRAINT ai_shares_conversation_id_ai_conversations_id_fk FOREIGN KEY (conversation_id) REFERENCES public.ai_conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.configuration_texts
    ADD CONSTRAINT configuration_texts_revision_configuration_revisions_id_fk FOREIGN KEY (revision) REFERENCES public.configuration_revisions(id);
ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);
ALTER TABLE ONLY public.findings
    ADD CONSTRAINT findings_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inbox_reads
    ADD CONSTRAINT inbox_reads_delivery_id_notification_deliveries_id_fk FOREIGN KEY (delivery_id) REFERENCES public.notification_deliveries(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoice_documents
    ADD CONSTRAINT invoice_documents_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoice_lines
    ADD CONSTRAINT invoice_lines_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoice_vat
    ADD CONSTRAINT invoice_vat_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.job_authors
    ADD CONSTRAINT job_authors_revision_configuration_revisions_id_fk FOREIGN KEY (revision) REFERENCES public.configuration_revisions(id);
ALTER TABLE ONLY public.job_logs
    ADD CONSTRAINT job_logs_run_id_job_runs_id_fk FOREIGN KEY (run_id) REFERENCES public.job_runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.job_rows
    ADD CONSTRAINT job_rows_run_id_job_runs_id_fk FOREIGN KEY (run_id) REFERENCES public.job_runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.job_steps
    ADD CONSTRAINT job_steps_run_id_job_runs_id_fk FOREIGN KEY (run_id) REFERENCES public.job_runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.lifecycle_events
    ADD CONSTRAINT lifecycle_events_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pa_quarantine_files
    ADD CONSTRAINT pa_quarantine_files_flow_id_pa_quarantine_flow_id_fk FOREIGN KEY (flow_id) REFERENCES public.pa_quarantine(flow_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_items
    ADD CONSTRAINT run_items_run_id_runs_id_fk FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_logs
    ADD CONSTRAINT run_logs_run_id_runs_id_fk FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_username_fkey FOREIGN KEY (username) REFERENCES public.users(username) ON DELETE CASCADE;
ALTER TABLE ONLY public.status_messages
    ADD CONSTRAINT status_messages_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);
ALTER TABLE ONLY public.stored_chunks
    ADD CONSTRAINT stored_chunks_content_id_fkey FOREIGN KEY (content_id) REFERENCES public.stored_contents(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submission_attempts
    ADD CONSTRAINT submission_attempts_submission_id_submissions_id_fk FOREIGN KEY (submission_id) REFERENCES public.submissions(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_invoice_id_invoices_id_fk FOREIGN KEY (invoice_id) REFERENCES public.invoices(id);
ALTER TABLE ONLY public.user_identities
    ADD CONSTRAINT user_identities_username_fkey FOREIGN KEY (username) REFERENCES public.users(username) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_role_fkey FOREIGN KEY (role) REFERENCES public.roles(name) ON DELETE RESTRICT;
ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_username_fkey FOREIGN KEY (username) REFERENCES public.users(username) ON DELETE CASCADE;
reset check_function_bodies;
insert into schema_migrations (version, name, sha256) values
  ('0001', 'foundation', '55786fe7b5b413890063b6c6a7323ce0cece98549dccc7e2e5e3934da54c6b5d'),
  ('0005', 'notify', 'e882fa7f7e43c99be916d135742cba9c5bb2e6302770f338193a1205ed658f26'),
  ('0010', 'rule_sets', 'b2f3eb2d00b62c3c30c0e4ccc05798a294690e8d6eaac3e1e33fcf9b4b6f0876'),
  ('0020', 'access', 'e6e66781d86fb05f25711336a82dc38c0fe2d0b13658ef9c8d059784c48f8ddd'),
  ('0030', 'submission', '290dabd8f4249575dc56b3489c0f18839c0f7d26d76c6445eb6f98eddb4fee5d'),
  ('0040', 'lifecycle', '6e6cc29ff30c058958d0fd51025bd65eb0164cadff203ac87a4c5f38fbb31684'),
  ('0050', 'notifications', '9333e93b98c0f738c74ebc0c17d3b03e70848544f8d4d9f3bcbcc486071c78c2'),
  ('0060', 'connectors', '5f1b7f3cbfd6a5968c006a40c31689354585d61d73e7a0f82bc3bf5b96a31011'),
  ('0070', 'live_tickets', '7c82ed3cec8e0f35fd0852fb90ce7eb3343f6c3e2184a3b1cb141ed7ad156999'),
  ('0080', 'call_rates', '2ffaf3e9393f1999c2888d947ab05d94104db083b2d9e34f9dca00e7922d3c30'),
  ('0100', 'poison', '080480a1f2d5b5e114a67c6daa8ab8cd2ebe0364fe1c69cf169423164c1132c1'),
  ('0130', 'run_turns', '9ea79c4d7965318293b79a21f67dcc24361e8da6d5e2c9c0bd35d4c9c4e340b1'),
  ('0131', 'orphan_findings', '6ac4f2c890b2e7a0872dab8ab451f81d1a8863726d605500b39a121e22236a9e'),
  ('0150', 'session_epoch', '4c9ce35c7ab757f36630f3cf0a53db07b3ebf8adb026bf00383170fd93d1b53a'),
  ('0151', 'versions', '26e95276015bf3e210d43f9d402d452ba911233a5f62aa53fff2a444c3d52ae1'),
  ('0160', 'invoice_lists', '49e0357ecfb9f97cb95bf47224f1beba6299d3eb1ba59284eaab7ccd2629cccf'),
  ('0161', 'other_lists', '6ffc23c494d29b41acee9fe869dc7792ce1c6d2d6eeb53da76ff5a42477b0079'),
  ('0162', 'run_lists', 'c9abaa5dc32aeef0b6bdeacc76a1c1371df3275c11d454a9ffa778d535594f1d'),
  ('0170', 'webhook_origin', '37d914ac7ed7adc02951b05654d35d39bddb1f84530a900e1faa2a6d4a23b2b2'),
  ('0171', 'task_turns', 'f4df5675ea59adc0786d45bc06aed2f96327e7994b3b77697656449531e5b3b7'),
  ('0172', 'delivery_owner', 'ae0d822b35225c991c5131d9d4185c5e549e569f4d821876518ebf8da825ad8b'),
  ('0173', 'trials', 'f0df3443fe50f2f1925d958b03b65218a80936b472de1ece4a275cc1466ed741'),
  ('0180', 'languages', 'e7aececcfcfa812cd5e919f33970cefaf83a6d32ba7f11c2c00000dbdddda32f'),
  ('0190', 'unevaluated_findings', 'a4d4150cff00995bc8fb11ee247bf82bfcf6ceffa339e82ba470acafc8a7bbe7'),
  ('0200', 'configuration', 'e10be53a9ae33ca9c4d0343565cf1f80305c710d32258f9c1380d662766b6744'),
  ('0210', 'told_in_both', '954fa0f1fe2cd027c55c6e7849608a2ba68d7af154b871e83f1968a9c9b5b1a1'),
  ('0211', 'announced', 'f6578d1bdbdeb412cf172bb0cfeb2632cbd5ebdf930b807ffbd634032423883d'),
  ('0230', 'reading', 'ac65ade3d9930168c8d173f65d7002bebbb40b259ed30774af2bdd0632c944a1'),
  ('0250', 'peers', '1d831b9c94cedb2d26c2a91e4f08966b39c91f9b0eb29437e1cdc33455e84955'),
  ('0251', 'claims', 'a5836d2f6c524ca1b47891dd1b3841cf1851f4438568b9a43d0090c67a633d56'),
  ('0252', 'original_bytes', 'd92d241af847b1594aa4440fd96b5899db2f21142235e0d40efb7fadd1b86d3a'),
  ('0260', 'opened_pools', '829268f3437240214f94797d55e5052da435eb17edeaccb28307599a4e4db8c9'),
  ('0270', 'findings_in_english', '076b3149927de9846ec1dc53361a0011a8ee5560f81576f0c8cd0ca5a5c285b1'),
  ('0300', 'record_locks', '545e6d133592afda91545419ed65025c5c4db8877154aee404901f061f2c82e9'),
  ('0320', 'jobs', 'a6a988a4fe6f43426efac6ca6776ddccd43dca54dff922001d51338b4b19ef02'),
  ('0321', 'job_revisions', '7270e546aa314f5a7277dbc288ba391015c9ce7477e1132f66efb513e600001f'),
  ('0340', 'catalogue', '3e02cc287e11bf6604053725b1a03d109f9be8b7ae5511d00aee4cde37871283'),
  ('0341', 'logs', '31aa1a343aa474ffb7d7d788570ffbdf0ecde94aa679546dd1a265d003400150'),
  ('0342', 'closed_pools', '8c7fd9476e0f5c83d2465920bb7a1498ade32431ea0f78c035e060fd737ac920'),
  ('0343', 'setup', '25019aa361750ee6b76b6b80e6cba9af575d2e46d35ff1181735df81ebcf61e0'),
  ('0360', 'assistant', '78b6c732a167741fc826111148ddadd6a9dc4320c54d1c51a98bedbcd864fca5'),
  ('0361', 'conversations', '299d253a0f56d9c83ae8047fddf4522219f49bfdccb41ce9f7b9e60b2baf765c'),
  ('0380', 'stored_files', 'fef387232146ac9227f379790e3e42955a8084d7b60be95a4e4938adb400522d'),
  ('0381', 'places_of_contents', 'b1e1bbd26aadae798e5da4c2d5aecc57f0aa0139fde8eec7aeb2017d547eaabb'),
  ('0410', 'job_readers', '24b3eb97cc21aab759aac047367086c4a9fb7196356241322beca1ec4ae25123'),
  ('0420', 'installation', '2b0099a03e0d3b8551c36f8ef5bd3dc7afb7c6a6b3a1c8e6b9338ca1620415b3'),
  ('0430', 'task_traces', '73ab64c28ef4b466fb070d6a653e934cc3f8fa61c33c2ef47066916e39a8a292'),
  ('0440', 'sums_by_time', '0f2738e9deeacaebc6119a272529fbd05ad192e6d68743a4e73b5cf93b02207e'),
  ('0450', 'secrets_of_templates', '168506ba724a9496b8b3beac03cb561418f4de8ae2ef8a6537dca942773e540e'),
  ('0460', 'assistant_questions', 'ea2540d4cf8b8021d7626ccf182a6ee909039c8535f90f428c04c86fcdfb04a9'),
  ('0500', 'words_of_suppliers', '2eba699f786662af82919ebbb38e11b621410702251e3f63dc07f169365053af'),
  ('0520', 'job_runs_working', '6bef62c2d652d60f6629c47866b3835188ecdbfbf1eb105308d55074fe5ceaea'),
  ('0540', 'suppliers_in_order', 'b77aacbbbe8435f9a35f60cb988fb675be610003549407dc44a80edc8831679d'),
  ('0560', 'log_batches', 'debf89178502677a060cf13c7973a4fee2bdbebce2f46729e80bc6a5cc6959b0'),
  ('0580', 'lz4', 'e653db46ce96528917daa6340f9ce7035a2fe2af108bd9c2ce2220f0774ff4e8'),
  ('0600', 'statuses_by_amount', '8900584d410fe4581cd6f0b3692c743fa12c2706dc70cbb1a6c1c2d1af63bdf5'),
  ('0620', 'stuck_statuses', '26f9886c7dbc3a92a04c7aaec10010e5c5551450e256807e420a5e6b61dfe230'),
  ('0640', 'shared_by_date', '6b3f480758a9d7fe41e1a3f50561eced858013edbfce1f354733ad8289adef7a'),
  ('0650', 'lists_of_companies', 'e432d80dea4654761ff8fac2fc0355649bba9eb477786f5edbc44384020560fa'),
  ('0660', 'payable_in_lists', 'fe47339b478f12d7f37bdcdd955720146f4238a236d9a57728b7bd6dbfcf97ca'),
  ('0670', 'due_by_date', 'ff11b8904c39a58520eab3531072fd271f5735c4ef98761da9f6c08a427a5f9f'),
  ('0680', 'history_in_french', '2189ae989a86a981e262a8d78ca917d06db3924f9a59393195c7fef1d9d83092'),
  ('0690', 'treatment', '4081c67e8a5469a7341333e19041f42ba383b88ae25c8ef05df6333cd4bc82d8'),
  ('0700', 'idempotency_bounds', 'e7535389676f1f27c80b38c2f2e10a2d96014802397590c6e304f19de41bf31c'),
  ('0710', 'clock_marks', 'fd10cf160c9227134f96d5e9faa4b106b311704040f0f50783a53ff1543d0253'),
  ('0720', 'job_authors', 'a348dfa377ccbbb01f4f41e6f48297a6114aafcb50f9c23b424259ae43341222'),
  ('0735', 'stylesheet_revisions', '685d0d5311fe64408f7270f2e356df1541352abbf99a54d2d3a9dd098f85504d'),
  ('0740', 'quarantined_files', 'c03326f5756ec5875f9cc0fe89485af021cadfee2bac50baeaa4e127470803e4'),
  ('0750', 'previews_of_runs', 'a6363e5528533388a5cbf76d7bb88c7a07ab8bc81c89bec6d164c158e8a6dd52'),
  ('0760', 'sending_off', '7671e14a8d5f58cc859def3418723ea87b2d28e1d147e48d0cebf71d976e385d'),
  ('0770', 'rule_defaults', '0f628225ce761ec94b3c285776a128af1d24c52e07d681dfb5fbe84eb9f79925'),
  ('0780', 'attention', '9afaf11cf971e4fe6517bce072a6f54e5bcb5214f6896cf9921568b32890a1ff'),
  ('0785', 'conversation_has_read', 'a00e32b4e6ea498701be3548abab30807ebdd775d0606dcd84725cad369b5e81'),
  ('0800', 'plain_lists', '02f33bdfb9494f03b4bcf5c2017a05fabae34e18c97532c84b313b509667516a');
