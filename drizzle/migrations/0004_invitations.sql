create table invitations (
  username text not null primary key references users (username) on delete cascade,
  token_sha256 text not null,
  email text,
  epoch bigint not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_token_sha256_unique unique (token_sha256)
)
