DROP INDEX "status_messages_stuck";
