DROP INDEX "runs_of_template", "runs_of_user";
