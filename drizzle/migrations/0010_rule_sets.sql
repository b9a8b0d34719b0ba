CREATE TABLE "rule_sets" (
	"id" text NOT NULL,
	"version" text NOT NULL,
	"manifest" jsonb,
	"files" jsonb,
	"sha256" text,
	"installed_by" text NOT NULL,
	"installed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"effective_from" date,
	"activated_at" timestamp with time zone,
	"activated_by" text,
	CONSTRAINT "rule_sets_id_version_pk" PRIMARY KEY("id","version")
);
--> statement-breakpoint
CREATE TABLE "rule_overrides" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"rule_set" text NOT NULL,
	"rule" text NOT NULL,
	"level" text NOT NULL,
	"author" text NOT NULL,
	"reason" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_by" text,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "rule_overrides_reason" CHECK (length("reason") > 0)
);
--> statement-breakpoint
CREATE INDEX "rule_overrides_standing" ON "rule_overrides" USING btree ("rule_set","rule") WHERE "withdrawn_at" is null;
