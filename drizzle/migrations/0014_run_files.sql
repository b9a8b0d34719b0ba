-- Finds runs by a part of the name of their file.
create index runs_by_part_of_file on runs using gin (file gin_trgm_ops)
