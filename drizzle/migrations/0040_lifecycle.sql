ALTER TABLE "pa_cursors" ADD COLUMN "scan_newest" text;--> statement-breakpoint
ALTER TABLE "pa_cursors" ADD COLUMN "lease_holder" uuid;--> statement-breakpoint
ALTER TABLE "pa_cursors" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pa_cursors" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pa_cursors" ADD COLUMN "covers_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pa_flows" ADD COLUMN "tracking_id" text;--> statement-breakpoint
ALTER TABLE "pa_flows" ADD COLUMN "submitted_at" text;--> statement-breakpoint
CREATE INDEX "pa_flows_by_tracking" ON "pa_flows" USING btree ("tracking_id") WHERE "tracking_id" is not null;--> statement-breakpoint
ALTER TABLE "pa_quarantine" ADD COLUMN "kind" text DEFAULT 'unreadable' NOT NULL;--> statement-breakpoint
ALTER TABLE "pa_quarantine" ADD COLUMN "attempts" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "pa_quarantine" ADD COLUMN "next_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pa_quarantine" ADD COLUMN "invoice_number" text;--> statement-breakpoint
ALTER TABLE "pa_quarantine" ADD COLUMN "supplier_siren" text;--> statement-breakpoint
CREATE INDEX "pa_quarantine_waiting" ON "pa_quarantine" USING btree ("invoice_number") WHERE "kind" = 'waiting';--> statement-breakpoint
CREATE INDEX "pa_quarantine_due" ON "pa_quarantine" USING btree ("next_at") WHERE "next_at" is not null;--> statement-breakpoint
CREATE TABLE "status_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" bigint NOT NULL,
	"status_code" text NOT NULL,
	"state" text NOT NULL,
	"payload" text NOT NULL,
	"payload_sha256" text NOT NULL,
	"said" jsonb NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"flow_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"probes" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_messages_flow_id_unique" UNIQUE("flow_id")
);
--> statement-breakpoint
ALTER TABLE "status_messages" ADD CONSTRAINT "status_messages_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "status_messages_one_open" ON "status_messages" USING btree ("invoice_id") WHERE state in ('intent', 'sending', 'ambiguous', 'probing', 'sent', 'parked');--> statement-breakpoint
CREATE INDEX "status_messages_of_invoice" ON "status_messages" USING btree ("invoice_id","created_at");--> statement-breakpoint
CREATE TABLE "pa_webhooks" (
	"webhook_id" text PRIMARY KEY NOT NULL,
	"callback_url" text NOT NULL,
	"signing_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_call_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "pa_webhook_calls" (
	"signature" text PRIMARY KEY NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evidence_contents" (
	"sha256" text PRIMARY KEY NOT NULL,
	"bytes" bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"invoice_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"at" text NOT NULL,
	"content_sha256" text,
	"meta" text NOT NULL,
	"prev" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "evidence_invoice_id_seq_pk" PRIMARY KEY("invoice_id","seq")
);
--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION "evidence_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'Evidence is append-only: % of % is refused', TG_OP, TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "evidence_stays" BEFORE UPDATE OR DELETE OR TRUNCATE ON "evidence" FOR EACH STATEMENT EXECUTE FUNCTION "evidence_stays"();--> statement-breakpoint
CREATE TRIGGER "evidence_stays" BEFORE UPDATE OR DELETE OR TRUNCATE ON "evidence_contents" FOR EACH STATEMENT EXECUTE FUNCTION "evidence_stays"();
