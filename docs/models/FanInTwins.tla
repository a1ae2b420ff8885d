----------------------------- MODULE FanInTwins -----------------------------
(***************************************************************************)
(* Rules that look as good as those of FanIn and are not. A configuration  *)
(* puts one of them in the place of the right one; TLC must find out.      *)
(***************************************************************************)
EXTENDS FanIn

\* For MayRead: do not wait for a locked counter (SKIP LOCKED, or a plain read before the write).
NeverWait(c, t) == TRUE

\* For TargetAt: lock counters in the order in which they come up.
AsTheyComeUp(c, n) == IF c = CHOOSE d \in Committers : TRUE THEN n ELSE Targets + 1 - n

\* For Change: an expand is a step like any other.
ElementsUncounted(steps) == -Cardinality(steps)
=============================================================================
