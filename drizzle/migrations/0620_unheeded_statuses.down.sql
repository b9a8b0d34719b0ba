DROP INDEX "status_messages_unheeded";
