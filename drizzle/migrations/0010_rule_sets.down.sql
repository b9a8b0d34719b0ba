DROP TABLE IF EXISTS "rule_overrides" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "rule_sets" CASCADE;
