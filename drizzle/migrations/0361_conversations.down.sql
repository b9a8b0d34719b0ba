DROP TABLE "ai_shares";
--> statement-breakpoint
DROP TABLE "ai_messages";
--> statement-breakpoint
DROP TABLE "ai_conversations";
