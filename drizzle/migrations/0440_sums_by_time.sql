ALTER TABLE "invoice_vat" ADD COLUMN "direction" text;
--> statement-breakpoint
ALTER TABLE "invoice_vat" ADD COLUMN "issue_date" date;
--> statement-breakpoint
UPDATE "invoice_vat" v SET "direction" = i."direction", "issue_date" = i."issue_date" FROM "invoices" i WHERE i."id" = v."invoice_id";
--> statement-breakpoint
CREATE INDEX "invoice_vat_of_direction" ON "invoice_vat" ("direction", "issue_date", "currency", "tax_rate", "taxable_amount", "tax_amount");
--> statement-breakpoint
CREATE INDEX "lifecycle_by_time" ON "lifecycle_events" ("occurred_at", "status_code", "source", "invoice_id");
--> statement-breakpoint
CREATE OR REPLACE VIEW passerelle.invoice_vat AS SELECT
  invoice_id, seq, tax_category, tax_rate, taxable_amount, tax_amount, currency, tax_exemption, direction, issue_date
FROM public.invoice_vat;
--> statement-breakpoint
CREATE VIEW passerelle.audit AS SELECT
  seq, at, actor, event, target
FROM public.audit_log;
