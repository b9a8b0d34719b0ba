-- What many invoices share, those of it are in by their date: of each status, company or type a month lies side by side.
DROP INDEX "invoices_by_dct", "invoices_by_kco", "invoices_by_status", "invoices_by_type", "invoices_by_customer_ref", "invoices_by_customer", "invoices_by_supplier", "invoices_by_currency";--> statement-breakpoint
CREATE INDEX "invoices_by_type" ON "invoices" (left("invoice_type", 100),"issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer_ref" ON "invoices" ("direction",left("customer_ref", 100),"issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "invoices" ("direction","customer_sort","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_supplier" ON "invoices" ("direction",(left(lower(regexp_replace(normalize("supplier_name", NFD), '[\u0300-\u036f]+', '', 'g')), 100) COLLATE "C"),"issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_currency" ON "invoices" (left("currency", 100),"issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_status_and_company" ON "invoices" ("status","kco","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_status_and_dct" ON "invoices" ("status","dct","issue_date","id");--> statement-breakpoint
CREATE INDEX "invoices_of_status_and_direction" ON "invoices" ("status","direction","issue_date","id");
