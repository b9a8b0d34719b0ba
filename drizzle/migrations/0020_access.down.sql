DROP TABLE IF EXISTS "audit_log" CASCADE;
--> statement-breakpoint
DROP FUNCTION IF EXISTS "refuse_change_of_audit"();
--> statement-breakpoint
DROP TABLE IF EXISTS "signing_keys" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "sign_in_attempts" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "refresh_tokens" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "sessions" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "user_identities" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "user_roles" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "users" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "roles" CASCADE;
