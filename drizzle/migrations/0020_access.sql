CREATE TABLE "roles" (
	"name" text PRIMARY KEY NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"built_in" boolean DEFAULT false NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"inherits_from" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_everything" CHECK ("name" = 'admin' or not '*' = any("permissions")),
	CONSTRAINT "roles_anonymous" CHECK ("name" <> 'anon' or ("permissions" = '{}' and "inherits_from" = '{}'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"username" text PRIMARY KEY NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"email" text,
	"language" text DEFAULT 'en' NOT NULL,
	"password_hash" text,
	"active" boolean DEFAULT true NOT NULL,
	"epoch" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"password_changed_at" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"username" text NOT NULL REFERENCES "users"("username") ON DELETE cascade,
	"role" text NOT NULL REFERENCES "roles"("name") ON DELETE restrict,
	CONSTRAINT "user_roles_username_role_pk" PRIMARY KEY("username","role")
);
--> statement-breakpoint
CREATE TABLE "user_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"username" text NOT NULL REFERENCES "users"("username") ON DELETE cascade,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"username" text NOT NULL REFERENCES "users"("username") ON DELETE cascade,
	"method" text NOT NULL,
	"address" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_sha256" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL REFERENCES "sessions"("id") ON DELETE cascade,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"blocked_until" timestamp with time zone,
	"succeeded_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"private_jwk" text NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"address" text,
	"event" text NOT NULL,
	"target" text,
	"before" jsonb,
	"after" jsonb,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "user_roles_of_role" ON "user_roles" USING btree ("role");
--> statement-breakpoint
CREATE INDEX "user_identities_of_user" ON "user_identities" USING btree ("username");
--> statement-breakpoint
CREATE INDEX "sessions_open" ON "sessions" USING btree ("username") WHERE "ended_at" is null;
--> statement-breakpoint
CREATE INDEX "sessions_age" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "refresh_tokens_of_session" ON "refresh_tokens" USING btree ("session_id");
--> statement-breakpoint
CREATE INDEX "sign_in_attempts_age" ON "sign_in_attempts" USING btree ("last_at");
--> statement-breakpoint
CREATE INDEX "audit_log_by_time" ON "audit_log" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "audit_log_by_actor" ON "audit_log" USING btree ("actor","seq");
--> statement-breakpoint
CREATE INDEX "audit_log_by_event" ON "audit_log" USING btree ("event","seq");
--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit log can only be added to';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit"();
--> statement-breakpoint
INSERT INTO "roles" ("name", "display_name", "description", "built_in", "permissions") VALUES
	('admin', 'Administrator', 'Everything', true, '{*}'),
	('anon', 'Anonymous', 'Callers without a token, on public endpoints', true, '{}');
