alter table invoices drop column handled_status_at
