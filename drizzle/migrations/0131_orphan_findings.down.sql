DROP INDEX "findings_of_no_invoice";
