CREATE INDEX "findings_of_no_invoice" ON "findings" ("doc","dct","kco") WHERE invoice_id is null;
