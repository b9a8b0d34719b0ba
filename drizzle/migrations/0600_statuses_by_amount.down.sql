DROP INDEX "invoices_of_status_by_total";
