-- Statuses told to the PA that it refused, or that stand still, are listed over all invoices.
CREATE INDEX "status_messages_stuck" ON "status_messages" ("created_at","id") WHERE state in ('parked', 'refused');
