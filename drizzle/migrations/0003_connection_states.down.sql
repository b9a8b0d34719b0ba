drop table connection_states cascade
