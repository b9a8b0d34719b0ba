DROP INDEX "invoices_by_supplier";
