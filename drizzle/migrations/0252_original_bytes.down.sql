ALTER TABLE "invoice_documents" DROP COLUMN "original";
