-- The invoices that are due on a day are in by their date, so that those of some days are merged. Invoices are read until the last moment.
CREATE INDEX "invoices_by_day_due" ON "invoices" ("due_date","issue_date","id");--> statement-breakpoint
DROP INDEX "invoices_by_due_date";--> statement-breakpoint
ALTER INDEX "invoices_by_day_due" RENAME TO "invoices_by_due_date";
