----------------------------- MODULE LeaseTwins -----------------------------
(***************************************************************************)
(* Rules that look as good as those of Lease and are not. A configuration  *)
(* puts one of them in the place of the right one; TLC must find out.      *)
(***************************************************************************)
EXTENDS Lease

\* For MaySettle: the row is mine, so what I send must be about it.
OwnerSuffices(request) == IsLeasedTo(request.id)

\* For HandedOn: the owner stays, so why should the token change.
TokenStays(token) == token

\* For Freed: the row was this process's when I looked.
WrittenAsRead(id, read) ==
  IF read.state = "leased" /\ read.owner = id
  THEN [read EXCEPT !.state = "ready", !.owner = Nobody]
  ELSE task

\* For IsOrphan: whoever was reaped has nothing left.
NoOrphans == FALSE
=============================================================================
