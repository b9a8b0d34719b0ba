-- The words of lines stay: the search of an earlier release finds them too.
select 1
