DROP VIEW passerelle.audit;
--> statement-breakpoint
DROP VIEW passerelle.invoice_vat;
--> statement-breakpoint
DROP INDEX "lifecycle_by_time";
--> statement-breakpoint
ALTER TABLE "invoice_vat" DROP COLUMN "issue_date";
--> statement-breakpoint
ALTER TABLE "invoice_vat" DROP COLUMN "direction";
--> statement-breakpoint
CREATE VIEW passerelle.invoice_vat AS SELECT
  invoice_id, seq, tax_category, tax_rate, taxable_amount, tax_amount, currency, tax_exemption
FROM public.invoice_vat;
