alter table notification_deliveries drop column owner;
