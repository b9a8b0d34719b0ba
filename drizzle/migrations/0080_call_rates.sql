CREATE TABLE "call_rates" (
	"what" text NOT NULL,
	"username" text NOT NULL,
	"spent_until" timestamp with time zone NOT NULL,
	CONSTRAINT "call_rates_what_username_pk" PRIMARY KEY("what","username")
);
