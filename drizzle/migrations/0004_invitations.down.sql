drop table invitations cascade
