DROP INDEX "invoices_of_status_and_company", "invoices_of_status_and_dct", "invoices_of_status_and_direction", "invoices_by_type", "invoices_by_customer_ref", "invoices_by_customer", "invoices_by_supplier", "invoices_by_currency";--> statement-breakpoint
CREATE INDEX "invoices_by_dct" ON "invoices" ("dct","id");--> statement-breakpoint
CREATE INDEX "invoices_by_kco" ON "invoices" ("kco","id");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" ("status","id");--> statement-breakpoint
CREATE INDEX "invoices_by_type" ON "invoices" (left("invoice_type", 100),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer_ref" ON "invoices" (left("customer_ref", 100),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "invoices" ("customer_sort","id");--> statement-breakpoint
CREATE INDEX "invoices_by_supplier" ON "invoices" ((left(lower(regexp_replace(normalize("supplier_name", NFD), '[\u0300-\u036f]+', '', 'g')), 100) COLLATE "C"),"id");--> statement-breakpoint
CREATE INDEX "invoices_by_currency" ON "invoices" (left("currency", 100),"id");
