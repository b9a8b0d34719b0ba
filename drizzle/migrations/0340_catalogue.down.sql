DROP TABLE "themes";
--> statement-breakpoint
DROP TABLE "modules";
--> statement-breakpoint
DROP TABLE "applications";
