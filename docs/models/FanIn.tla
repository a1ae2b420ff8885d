------------------------------- MODULE FanIn -------------------------------
(***************************************************************************)
(* Fan-in: steps that end at the same time, in several transactions, and   *)
(* targets that must start after all of them, exactly once. One of the     *)
(* steps is an expand, whose number of elements nobody knows in advance.   *)
(*                                                                         *)
(* A settling transaction locks the counters of its targets one by one and *)
(* holds them to its end. A target opens in the transaction that sees its  *)
(* counter at zero. A twin breaks one rule by putting another operator in  *)
(* its place.                                                              *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Parents,      \* how many steps there are besides the expand
  MaxElements,  \* how many elements the expand yields at most
  Committers,   \* those that settle at the same time
  Targets,      \* how many wait for all of this: a collapse and the end of the run, say
  MaxFaults     \* how many transactions are rolled back at most

VARIABLES
  elements,     \* how many elements the expand yields
  ended,        \* the steps whose settlement was committed
  counter,      \* by target: the arrivals still missing, or None before the first
  opened,       \* by target: how often it was created
  batch,        \* by committer: the steps it settles together
  locked,       \* by committer: how many of its targets it has locked
  sees,         \* by committer and target: what it has read after its own arrivals
  faults

vars == <<elements, ended, counter, opened, batch, locked, sees, faults>>

None == -1000
Expand == <<"expand", 0>>
Plain == {<<"parent", i>> : i \in 1..Parents}
Below == {<<"element", i>> : i \in 1..elements}
All == Plain \cup {Expand} \cup Below
Need == Parents + 1     \* what is below the expand counts as one until the expand has ended

Init ==
  /\ elements \in 0..MaxElements
  /\ ended = {}
  /\ counter = [t \in 1..Targets |-> None]
  /\ opened = [t \in 1..Targets |-> 0]
  /\ batch = [c \in Committers |-> {}]
  /\ locked = [c \in Committers |-> 0]
  /\ sees = [c \in Committers |-> [t \in 1..Targets |-> None]]
  /\ faults = 0

(***************************************************************************)
(* The rules that the twins break.                                         *)
(***************************************************************************)

\* Counters are locked in the order of their keys.
TargetAt(c, n) == n

\* The lock blocks: whoever comes second waits, and then sees what the first has left.
MayRead(c, t) ==
  \A d \in Committers \ {c} : \A n \in 1..locked[d] : TargetAt(d, n) # t

\* Each arrival takes one off; an expand of n elements adds n - 1, in its own settlement.
Change(steps) == (IF Expand \in steps THEN elements ELSE 0) - Cardinality(steps)

(***************************************************************************)
(* A settlement.                                                           *)
(***************************************************************************)

Startable == Plain \cup {Expand} \cup (IF Expand \in ended THEN Below ELSE {})
InHand == UNION {batch[c] : c \in Committers}

Begin(c) ==
  /\ batch[c] = {}
  /\ \E steps \in SUBSET (Startable \ (ended \cup InHand)) :
       /\ steps # {}
       /\ batch' = [batch EXCEPT ![c] = steps]
  /\ UNCHANGED <<elements, ended, counter, opened, locked, sees, faults>>

\* The counter is created on the first arrival.
Missing(t) == IF counter[t] = None THEN Need ELSE counter[t]

Arrive(c) ==
  /\ batch[c] # {} /\ locked[c] < Targets
  /\ LET t == TargetAt(c, locked[c] + 1) IN
       /\ MayRead(c, t)
       /\ sees' = [sees EXCEPT ![c][t] = Missing(t) + Change(batch[c])]
  /\ locked' = [locked EXCEPT ![c] = @ + 1]
  /\ UNCHANGED <<elements, ended, counter, opened, batch, faults>>

Done(c) ==
  /\ batch' = [batch EXCEPT ![c] = {}]
  /\ locked' = [locked EXCEPT ![c] = 0]
  /\ sees' = [sees EXCEPT ![c] = [t \in 1..Targets |-> None]]

Commit(c) ==
  /\ batch[c] # {} /\ locked[c] = Targets
  /\ counter' = [t \in 1..Targets |-> Missing(t) + Change(batch[c])]
  /\ opened' = [t \in 1..Targets |-> opened[t] + (IF sees[c][t] = 0 THEN 1 ELSE 0)]
  /\ ended' = ended \cup batch[c]
  /\ Done(c)
  /\ UNCHANGED <<elements, faults>>

\* Its process, its connection or the database dies: nothing of it has happened, and it is sent again.
RollBack(c) ==
  /\ batch[c] # {} /\ faults < MaxFaults
  /\ faults' = faults + 1
  /\ Done(c)
  /\ UNCHANGED <<elements, ended, counter, opened>>

Work == \E c \in Committers : Begin(c) \/ Arrive(c) \/ Commit(c)

AllEnded == ended = All /\ UNCHANGED vars

Next == Work \/ (\E c \in Committers : RollBack(c)) \/ AllEnded

Spec == Init /\ [][Next]_vars /\ WF_vars(Work)

(***************************************************************************)
(* What must hold (I5). TLC also looks for deadlocks.                      *)
(***************************************************************************)

NeverTwice == \A t \in 1..Targets : opened[t] <= 1

NeverEarly == \A t \in 1..Targets : opened[t] > 0 => ended = All

NeverZeroTimes == ended = All => \A t \in 1..Targets : opened[t] > 0

NeverBelowZero == \A t \in 1..Targets : counter[t] # None => counter[t] >= 0

Opens == <>(\A t \in 1..Targets : opened[t] = 1)
=============================================================================
