ALTER TABLE "invoice_documents" ADD COLUMN "original" text;
