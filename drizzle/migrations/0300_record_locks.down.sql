DROP TABLE record_locks;
