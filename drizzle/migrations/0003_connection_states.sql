create table connection_states (
  kind text not null,
  name text default '' not null,
  is_working boolean not null,
  checked_at timestamptz default now() not null,
  succeeded_at timestamptz,
  failing_since timestamptz,
  reason text,
  reason_fr text,
  constraint connection_states_kind_name_pk primary key (kind, name)
)
