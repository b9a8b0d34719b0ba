-- Time of the status that a person marked as handled. A later status has another time, so it waits again.
alter table invoices add column handled_status_at timestamptz
