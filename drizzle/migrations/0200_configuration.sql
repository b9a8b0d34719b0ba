CREATE TABLE "configuration_revisions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"author" text NOT NULL,
	"note" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "configuration_texts" (
	"section" text NOT NULL,
	"revision" bigint NOT NULL,
	"text" text NOT NULL,
	"tag" text NOT NULL,
	CONSTRAINT "configuration_texts_section_revision_pk" PRIMARY KEY("section","revision")
);
--> statement-breakpoint
CREATE TABLE "configuration_sections" (
	"name" text PRIMARY KEY NOT NULL,
	"stored" bigint NOT NULL,
	"active" bigint
);
--> statement-breakpoint
ALTER TABLE "configuration_texts" ADD CONSTRAINT "configuration_texts_revision_configuration_revisions_id_fk" FOREIGN KEY ("revision") REFERENCES "configuration_revisions"("id") ON DELETE no action ON UPDATE no action;
