CREATE TABLE "ai_questions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"answer" json,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ai_questions_of_owner" ON "ai_questions" ("owner");
--> statement-breakpoint
CREATE INDEX "ai_conversations_by_age" ON "ai_conversations" ("updated_at");
