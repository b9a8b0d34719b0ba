DROP INDEX "audit_log_by_event", "audit_log_by_target";--> statement-breakpoint
CREATE INDEX "audit_log_by_event" ON "audit_log" USING btree ("event","seq");--> statement-breakpoint
DROP INDEX "pa_quarantine_by_date", "pa_quarantine_by_kind", "submissions_by_date", "submissions_of_state";--> statement-breakpoint
CREATE INDEX "submissions_by_date" ON "submissions" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
DROP INDEX "notification_deliveries_by_date", "notification_deliveries_by_state", "notification_deliveries_by_channel",
	"notification_deliveries_by_rule", "notification_inbox";--> statement-breakpoint
CREATE INDEX "notification_deliveries_by_state" ON "notification_deliveries" USING btree ("state","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notification_inbox" ON "notification_deliveries" USING btree ("address","created_at" DESC NULLS LAST) WHERE channel = 'portal';--> statement-breakpoint
DROP INDEX "runs_by_date", "runs_by_state", "runs_by_file_name";--> statement-breakpoint
CREATE INDEX "runs_by_date" ON "runs" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
DROP INDEX "findings_by_doc", "findings_by_dct", "findings_by_kco", "findings_by_seq", "findings_by_gravity", "findings_by_source",
	"findings_by_rule", "findings_by_message", "findings_by_created", "findings_of_run", "findings_words";--> statement-breakpoint
ALTER TABLE "findings" DROP COLUMN "search_text", DROP COLUMN "created_at";--> statement-breakpoint
CREATE INDEX "findings_by_level" ON "findings" USING btree ("level","id");
