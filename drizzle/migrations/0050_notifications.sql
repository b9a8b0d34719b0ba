CREATE TABLE "notification_dispatches" (
	"event_id" uuid NOT NULL,
	"rule" text NOT NULL,
	"properties" jsonb NOT NULL,
	"owner" text,
	"notice" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "notification_dispatches_event_id_rule_pk" PRIMARY KEY("event_id","rule")
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"rule" text NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"notice" jsonb NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"attachment" text,
	"outputs" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_once" ON "notification_deliveries" USING btree ("event_id","rule","channel","address");--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_state" ON "notification_deliveries" USING btree ("state","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notification_inbox" ON "notification_deliveries" USING btree ("address","created_at" DESC NULLS LAST) WHERE channel = 'portal';--> statement-breakpoint
CREATE TABLE "notification_pdfs" (
	"event_id" uuid NOT NULL,
	"language" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "notification_pdfs_event_id_language_pk" PRIMARY KEY("event_id","language")
);
--> statement-breakpoint
CREATE TABLE "inbox_reads" (
	"delivery_id" uuid NOT NULL,
	"username" text NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inbox_reads_delivery_id_username_pk" PRIMARY KEY("delivery_id","username")
);
--> statement-breakpoint
ALTER TABLE "inbox_reads" ADD CONSTRAINT "inbox_reads_delivery_id_notification_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."notification_deliveries"("id") ON DELETE cascade ON UPDATE no action;
