-- Words more harm nobody: they stay, since they cannot be told from those that were there.
SELECT 1;
