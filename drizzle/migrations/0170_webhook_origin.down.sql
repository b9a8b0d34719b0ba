alter table pa_webhooks drop column pa_origin;
