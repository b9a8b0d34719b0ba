alter table run_items drop column number, drop column customer
