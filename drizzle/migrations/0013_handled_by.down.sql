alter table invoices drop column handled_comment, drop column handled_by, drop column handled_at
