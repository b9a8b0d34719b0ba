ALTER TABLE "findings" ADD COLUMN "search_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "findings" SET
	"created_at" = coalesce(
		(SELECT "created_at" FROM "runs" WHERE "runs"."id" = "run_id"),
		(SELECT "created_at" FROM "invoices" WHERE "invoices"."id" = "invoice_id"), now()),
	"search_text" = regexp_replace(regexp_replace(lower(regexp_replace(normalize(
		concat_ws(' ', "doc", "rule", "message", "message_en"), NFD), '[\u0300-\u036f]+', '', 'g')),
		'[[:punct:][:space:]]+', ' ', 'g'), '(\S{100})\S+', '\1', 'g');--> statement-breakpoint
DROP INDEX "findings_by_level";--> statement-breakpoint
CREATE INDEX "findings_by_doc" ON "findings" (left("doc", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_dct" ON "findings" (left("dct", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_kco" ON "findings" (left("kco", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_seq" ON "findings" ("seq","id");--> statement-breakpoint
CREATE INDEX "findings_by_gravity" ON "findings" (array_position('{INFO,WARNING,ERROR,FATAL}'::text[], "level"),"id");--> statement-breakpoint
CREATE INDEX "findings_by_source" ON "findings" (left("source", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_rule" ON "findings" (left("rule", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_message" ON "findings" (left("message", 100),"id");--> statement-breakpoint
CREATE INDEX "findings_by_created" ON "findings" ("created_at","id");--> statement-breakpoint
CREATE INDEX "findings_of_run" ON "findings" ("run_id","id");--> statement-breakpoint
CREATE INDEX "findings_words" ON "findings" USING gin (array_to_tsvector(array_remove(string_to_array("search_text", ' '), '')));--> statement-breakpoint
DROP INDEX "runs_by_date";--> statement-breakpoint
CREATE INDEX "runs_by_date" ON "runs" ("created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_state" ON "runs" ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "runs_by_file_name" ON "runs" (regexp_replace("file", '^.*/', ''));--> statement-breakpoint
DROP INDEX "notification_deliveries_by_state", "notification_inbox";--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_date" ON "notification_deliveries" ("created_at","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_state" ON "notification_deliveries" ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_channel" ON "notification_deliveries" ("channel","created_at","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_rule" ON "notification_deliveries" ("rule","created_at","id");--> statement-breakpoint
CREATE INDEX "notification_inbox" ON "notification_deliveries" ("address","created_at","id") WHERE channel = 'portal';--> statement-breakpoint
DROP INDEX "submissions_by_date";--> statement-breakpoint
CREATE INDEX "submissions_by_date" ON "submissions" ("created_at","id");--> statement-breakpoint
CREATE INDEX "submissions_of_state" ON "submissions" ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "pa_quarantine_by_date" ON "pa_quarantine" ("created_at","flow_id");--> statement-breakpoint
CREATE INDEX "pa_quarantine_by_kind" ON "pa_quarantine" ("kind","created_at","flow_id");--> statement-breakpoint
DROP INDEX "audit_log_by_event";--> statement-breakpoint
CREATE INDEX "audit_log_by_event" ON "audit_log" ("event" text_pattern_ops,"seq");--> statement-breakpoint
CREATE INDEX "audit_log_by_target" ON "audit_log" ("target","seq");
