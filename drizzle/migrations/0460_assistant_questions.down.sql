DROP INDEX "ai_conversations_by_age";
--> statement-breakpoint
DROP TABLE "ai_questions";
