CREATE TABLE "ai_conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"title" text NOT NULL,
	"app" text,
	"model" text NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"turn" uuid,
	"turn_until" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "ai_conversations_of_owner" ON "ai_conversations" ("owner","updated_at","id");
--> statement-breakpoint
CREATE TABLE "ai_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"role" text NOT NULL,
	"parts" json NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"finish_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ai_messages_order" UNIQUE("conversation_id","seq")
);
--> statement-breakpoint
ALTER TABLE "ai_messages" ADD CONSTRAINT "ai_messages_conversation_id_ai_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "ai_conversations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE TABLE "ai_shares" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"owner" text NOT NULL,
	"snapshot" json NOT NULL,
	"include_results" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ai_shares_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "ai_shares" ADD CONSTRAINT "ai_shares_conversation_id_ai_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "ai_conversations"("id") ON DELETE cascade ON UPDATE no action;
