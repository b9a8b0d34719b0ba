-- A key counts for the PA that gave it.
alter table pa_webhooks add column pa_origin text;
