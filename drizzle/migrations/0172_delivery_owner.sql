-- In whose name an e-mail is sent, whose rights are asked again when it is.
alter table notification_deliveries add column owner text;
--> statement-breakpoint
update notification_deliveries set owner = templates.owner from templates
where channel = 'email' and state in ('pending', 'dead') and templates.name = rule;
