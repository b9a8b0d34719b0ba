CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key" text NOT NULL,
	"actor" text NOT NULL,
	"route" text NOT NULL,
	"body_sha256" text NOT NULL,
	"status" integer,
	"content_type" text,
	"body" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_key_actor_route_pk" PRIMARY KEY("key","actor","route")
);
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"invoice_id" bigint,
	"run_id" uuid,
	"doc" text DEFAULT '' NOT NULL,
	"dct" text DEFAULT '' NOT NULL,
	"kco" text DEFAULT '' NOT NULL,
	"seq" integer NOT NULL,
	"level" text NOT NULL,
	"source" text NOT NULL,
	"rule" text NOT NULL,
	"message" text NOT NULL,
	"message_en" text NOT NULL,
	"business_term" text,
	"location" text DEFAULT '' NOT NULL,
	"line" integer DEFAULT 0 NOT NULL,
	"col" integer DEFAULT 0 NOT NULL,
	"value" text,
	"expected" text,
	"source_field" text
);
--> statement-breakpoint
CREATE TABLE "invoice_documents" (
	"invoice_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"content" text NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoice_documents_invoice_id_kind_pk" PRIMARY KEY("invoice_id","kind")
);
--> statement-breakpoint
CREATE TABLE "invoice_lines" (
	"invoice_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"line_id" integer NOT NULL,
	"description" text,
	"item_id" text,
	"quantity" numeric(24, 6),
	"unit" text,
	"unit_price" numeric(28, 10),
	"line_amount" numeric(24, 6),
	"allowance" numeric(24, 6),
	"currency" text,
	"tax_category" text,
	"tax_rate" numeric(12, 6),
	"tax_exemption" text,
	CONSTRAINT "invoice_lines_invoice_id_seq_pk" PRIMARY KEY("invoice_id","seq")
);
--> statement-breakpoint
CREATE TABLE "invoice_vat" (
	"invoice_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"tax_category" text,
	"tax_rate" numeric(12, 6),
	"taxable_amount" numeric(24, 6),
	"tax_amount" numeric(24, 6),
	"currency" text,
	"tax_exemption" text,
	CONSTRAINT "invoice_vat_invoice_id_seq_pk" PRIMARY KEY("invoice_id","seq")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"doc" text NOT NULL,
	"dct" text NOT NULL,
	"kco" text NOT NULL,
	"direction" text DEFAULT 'issued' NOT NULL,
	"template" text,
	"ubl_number" text,
	"issue_date" date,
	"due_date" date,
	"invoice_type" text,
	"process_type" text,
	"currency" text,
	"total_ht" numeric(24, 6),
	"total_ttc" numeric(24, 6),
	"amount_due" numeric(24, 6),
	"total_vat" numeric(24, 6),
	"supplier_ref" text,
	"supplier_siren" text,
	"supplier_name" text,
	"customer_ref" text,
	"customer_name" text,
	"order_ref" text,
	"contract_ref" text,
	"status" text NOT NULL,
	"status_at" timestamp with time zone DEFAULT now() NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"reason_code" text,
	"pa_uuid" text,
	"job_number" text,
	"search_text" text DEFAULT '' NOT NULL,
	"verdict" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lifecycle_events" (
	"invoice_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"status_code" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"reason_code" text,
	"action_code" text,
	"source" text NOT NULL,
	"pa_event_id" text,
	"data" jsonb,
	"occurred_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lifecycle_events_invoice_id_seq_pk" PRIMARY KEY("invoice_id","seq")
);
--> statement-breakpoint
CREATE TABLE "live_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"xid" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	"topic" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"permission" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_items" (
	"run_id" uuid NOT NULL,
	"index" integer NOT NULL,
	"offset" bigint NOT NULL,
	"length" integer NOT NULL,
	"line" integer NOT NULL,
	"envelope_open" text,
	"envelope_close" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"doc" text,
	"dct" text,
	"kco" text,
	"message" text,
	"finished_at" timestamp with time zone,
	CONSTRAINT "run_items_run_id_index_pk" PRIMARY KEY("run_id","index")
);
--> statement-breakpoint
CREATE TABLE "run_logs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"item" integer,
	"severity" text NOT NULL,
	"module" text NOT NULL,
	"submodule" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"template" text,
	"file" text NOT NULL,
	"mode" text NOT NULL,
	"source_type" text NOT NULL,
	"job_number" text DEFAULT '' NOT NULL,
	"replace_mode" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'splitting' NOT NULL,
	"envelope_open" text,
	"envelope_close" text,
	"total" integer DEFAULT 0 NOT NULL,
	"error" text,
	"started_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "pa_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"updated_after" text,
	"cursor" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pa_flows" (
	"flow_id" text PRIMARY KEY NOT NULL,
	"flow_type" text,
	"direction" text,
	"ack_status" text NOT NULL,
	"updated_at" text,
	"handled_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pa_quarantine" (
	"flow_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"content" text,
	"metadata" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submission_attempts" (
	"submission_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"outcome" text,
	"http_status" integer,
	"detail" text,
	CONSTRAINT "submission_attempts_submission_id_n_pk" PRIMARY KEY("submission_id","n")
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" bigint NOT NULL,
	"generation" integer NOT NULL,
	"state" text NOT NULL,
	"payload_sha256" text NOT NULL,
	"flow_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"probes" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"run_id" uuid,
	"run_item" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "submissions_flowId_unique" UNIQUE("flow_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'ready' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer NOT NULL,
	"run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"relayed_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"fence" bigint DEFAULT 0 NOT NULL,
	"dedupe_key" text,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"name" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"properties" jsonb NOT NULL,
	"owner" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_documents" ADD CONSTRAINT "invoice_documents_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_vat" ADD CONSTRAINT "invoice_vat_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lifecycle_events" ADD CONSTRAINT "lifecycle_events_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_items" ADD CONSTRAINT "run_items_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_logs" ADD CONSTRAINT "run_logs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submission_attempts" ADD CONSTRAINT "submission_attempts_submission_id_submissions_id_fk" FOREIGN KEY ("submission_id") REFERENCES "public"."submissions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "findings_of_invoice" ON "findings" USING btree ("invoice_id","seq");--> statement-breakpoint
CREATE INDEX "findings_by_level" ON "findings" USING btree ("level","id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_key" ON "invoices" USING btree ("doc","dct","kco");--> statement-breakpoint
CREATE INDEX "invoices_by_date" ON "invoices" USING btree ("issue_date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" USING btree ("status","issue_date" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "invoices_by_number" ON "invoices" USING btree ("ubl_number","supplier_siren");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "invoices" USING btree ("customer_name");--> statement-breakpoint
CREATE INDEX "invoices_search" ON "invoices" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "lifecycle_pa_event" ON "lifecycle_events" USING btree ("invoice_id","pa_event_id");--> statement-breakpoint
CREATE INDEX "live_events_order" ON "live_events" USING btree ("xid","id");--> statement-breakpoint
CREATE INDEX "live_events_age" ON "live_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "run_items_open" ON "run_items" USING btree ("run_id") WHERE state in ('pending', 'recorded');--> statement-breakpoint
CREATE INDEX "run_logs_of_run" ON "run_logs" USING btree ("run_id","id");--> statement-breakpoint
CREATE INDEX "runs_by_date" ON "runs" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "submissions_generation" ON "submissions" USING btree ("invoice_id","generation");--> statement-breakpoint
CREATE UNIQUE INDEX "submissions_one_open" ON "submissions" USING btree ("invoice_id") WHERE state in ('intent', 'sending', 'ambiguous', 'probing');--> statement-breakpoint
CREATE INDEX "submissions_by_state" ON "submissions" USING btree ("state","updated_at");--> statement-breakpoint
CREATE INDEX "tasks_to_relay" ON "tasks" USING btree ("run_at","id") WHERE state = 'ready' and relayed_at is null;--> statement-breakpoint
CREATE INDEX "tasks_relayed" ON "tasks" USING btree ("relayed_at") WHERE state = 'ready' and relayed_at is not null;--> statement-breakpoint
CREATE INDEX "tasks_running" ON "tasks" USING btree ("lease_until") WHERE state = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_dedupe" ON "tasks" USING btree ("dedupe_key") WHERE state = 'ready';