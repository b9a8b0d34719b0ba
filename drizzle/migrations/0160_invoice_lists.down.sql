DROP TRIGGER "invoices_counted_in" ON "invoices";--> statement-breakpoint
DROP TRIGGER "invoices_counted_over" ON "invoices";--> statement-breakpoint
DROP TRIGGER "invoices_counted_out" ON "invoices";--> statement-breakpoint
DROP FUNCTION "count_invoices"();--> statement-breakpoint
DROP TABLE "invoice_counts";--> statement-breakpoint
DROP INDEX "invoices_by_dct", "invoices_by_kco", "invoices_by_number", "invoices_by_issue_date", "invoices_by_due_date",
	"invoices_by_type", "invoices_by_total_ht", "invoices_by_total_ttc", "invoices_by_amount_due", "invoices_by_customer_ref",
	"invoices_by_customer", "invoices_by_currency", "invoices_by_status", "invoices_by_created", "invoices_of_status",
	"invoices_of_direction", "invoices_of_company", "invoices_of_dct", "invoices_words";--> statement-breakpoint
ALTER TABLE "invoices" DROP COLUMN "customer_sort";--> statement-breakpoint
CREATE INDEX "invoices_by_date" ON "invoices" USING btree ("issue_date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" USING btree ("status","issue_date" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "invoices_by_number" ON "invoices" USING btree ("ubl_number","supplier_siren");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "invoices" USING btree ("customer_name");--> statement-breakpoint
CREATE INDEX "invoices_search" ON "invoices" USING gin ("search_text" gin_trgm_ops);
