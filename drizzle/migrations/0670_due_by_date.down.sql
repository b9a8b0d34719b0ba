CREATE INDEX "invoices_by_day_due" ON "invoices" ("due_date","id");--> statement-breakpoint
DROP INDEX "invoices_by_due_date";--> statement-breakpoint
ALTER INDEX "invoices_by_day_due" RENAME TO "invoices_by_due_date";
