-- A list of several statuses by amount merges the invoices of each, which lie in that order here.
CREATE INDEX "invoices_of_status_by_total" ON "invoices" ("status","total_ttc","id");
