------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* Lease, fencing token and reaper: one task row that a chain of steps     *)
(* hands on, and processes that crash, freeze, lose replies and are reaped *)
(* while what they sent is still on its way.                               *)
(*                                                                         *)
(* Every action of the database is one transaction. Time is not counted: a *)
(* lease of a process that is frozen or dead may run out at any moment,    *)
(* and any other by a fault of the clock. README.md says what that leaves  *)
(* out. A twin breaks one rule by putting another operator in its place.   *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
  Processes,    \* those that serve the pipeline
  Reapers,      \* any process may reap; these do so at the same time
  Length,       \* how many steps the chain has
  MaxFaults     \* how many faults happen before they stop

VARIABLES
  task,         \* the live row
  results,      \* by step: the writes that were accepted, which should be one
  lease,        \* by process id: "none" before it joined, "valid", "expired", "gone"
  life,         \* by process: how often it has joined; part of its id, so that ids are fresh
  doing,        \* by process: what it believes to hold, and how far it is with it
  frozen,       \* the processes that stand still
  wire,         \* settlements on their way to the database
  reaping,      \* by reaper: whose row it has locked, and the task as it read it
  faults        \* how many have happened

vars == <<task, results, lease, life, doing, frozen, wire, reaping, faults>>

Steps == 1..Length
Ids == Processes \X (0..MaxFaults)
Nobody == <<"nobody", 0>>
Idle == [at |-> "idle", step |-> 0, token |-> 0]
Resting == [id |-> Nobody, read |-> [step |-> 0, state |-> "gone", owner |-> Nobody, token |-> 0]]

Id(p) == <<p, life[p]>>
Awake(p) == p \notin frozen
IsLeasedTo(id) == task.state = "leased" /\ task.owner = id
IsLocked(id) == \E r \in Reapers : reaping[r].id = id
Recorded(step, token) == \E i \in DOMAIN results[step] : results[step][i].token = token

Init ==
  /\ task = [step |-> 1, state |-> "ready", owner |-> Nobody, token |-> 0]
  /\ results = [s \in Steps |-> <<>>]
  /\ lease = [id \in Ids |-> IF id[2] = 0 THEN "valid" ELSE "none"]
  /\ life = [p \in Processes |-> 0]
  /\ doing = [p \in Processes |-> Idle]
  /\ frozen = {}
  /\ wire = {}
  /\ reaping = [r \in Reapers |-> Resting]
  /\ faults = 0

(***************************************************************************)
(* The rules that the twins break.                                         *)
(***************************************************************************)

\* A settlement moves the row only if the row is leased to the sender with the very token.
MaySettle(request) == IsLeasedTo(request.id) /\ task.token = request.token

\* A hand-over raises the token, so that one token never covers two steps.
HandedOn(token) == token + 1

\* The reaper writes what the row is when it writes, not what it was when it was read.
Freed(id, read) ==
  IF IsLeasedTo(id) THEN [task EXCEPT !.state = "ready", !.owner = Nobody] ELSE task

\* A task leased to an id that no process has any more is recovered as well.
IsOrphan == task.state = "leased" /\ lease[task.owner] = "gone"

(***************************************************************************)
(* A process at work.                                                      *)
(***************************************************************************)

\* A process that was reaped has stopped claiming: it trusts its lease for less time than the
\* database grants it.
MayClaim(p) == Awake(p) /\ doing[p] = Idle /\ task.state = "ready" /\ lease[Id(p)] # "gone"

Leased(p) == [task EXCEPT !.state = "leased", !.owner = Id(p), !.token = @ + 1]

Claim(p) ==
  /\ MayClaim(p)
  /\ task' = Leased(p)
  /\ doing' = [doing EXCEPT ![p] = [at |-> "body", step |-> task.step, token |-> task.token + 1]]
  /\ UNCHANGED <<results, lease, life, frozen, wire, reaping, faults>>

\* again: sent a second time, on another connection; the first may still be on its way.
Request(p, again) ==
  [id |-> Id(p), step |-> doing[p].step, token |-> doing[p].token, again |-> again]

Awaited(p) ==
  CASE doing[p].at = "sent" -> {Request(p, FALSE)}
    [] doing[p].at = "resent" -> {Request(p, TRUE)}
    [] OTHER -> {}

\* The body has returned; its outcome is sent.
Finish(p) ==
  /\ Awake(p) /\ doing[p].at = "body"
  /\ doing' = [doing EXCEPT ![p].at = "sent"]
  /\ wire' = wire \cup {Request(p, FALSE)}
  /\ UNCHANGED <<task, results, lease, life, frozen, reaping, faults>>

\* What the database makes of an accepted settlement; keep: the sender goes on with the next step.
Settled(request, keep) ==
  IF task.step = Length
  THEN [task EXCEPT !.state = "gone", !.owner = Nobody]
  ELSE [step |-> task.step + 1,
        state |-> IF keep THEN "leased" ELSE "ready",
        owner |-> IF keep THEN request.id ELSE Nobody,
        token |-> HandedOn(task.token)]

\* The process that waits for this answer, if it still does; a frozen one finds it when it thaws.
Told(request, then) ==
  [p \in Processes |->
     IF request \in Awaited(p) THEN then ELSE doing[p]]

Accept(request, keep) ==
  /\ MaySettle(request)
  /\ results' = [results EXCEPT ![request.step] =
                   Append(@, [token |-> request.token, newest |-> task.token])]
  /\ task' = Settled(request, keep)
  /\ doing' = Told(request, IF task'.state = "leased"
                            THEN [at |-> "body", step |-> task'.step, token |-> task'.token]
                            ELSE Idle)

Refuse(request) ==
  /\ ~MaySettle(request)
  /\ doing' = Told(request, Idle)
  /\ UNCHANGED <<task, results>>

Settle(request) ==
  /\ request \in wire
  /\ wire' = wire \ {request}
  /\ \/ \E keep \in BOOLEAN : Accept(request, keep)
     \/ Refuse(request)
  /\ UNCHANGED <<lease, life, frozen, reaping, faults>>

\* A lost reply is resolved by looking for our own (step, token).
LookUp(p) ==
  /\ Awake(p) /\ doing[p].at = "unsure"
  /\ IF Recorded(doing[p].step, doing[p].token)
     THEN doing' = [doing EXCEPT ![p] = Idle] /\ UNCHANGED wire
     ELSE doing' = [doing EXCEPT ![p].at = "resent"] /\ wire' = wire \cup {Request(p, TRUE)}
  /\ UNCHANGED <<task, results, lease, life, frozen, reaping, faults>>

\* What the database holds for a process, and the process does not know of, is given back.
Reconcile(p) ==
  /\ Awake(p) /\ doing[p] = Idle /\ IsLeasedTo(Id(p))
  /\ task' = [task EXCEPT !.state = "ready", !.owner = Nobody]
  /\ UNCHANGED <<results, lease, life, doing, frozen, wire, reaping, faults>>

\* Comes back under an id of its own; what it held is forgotten.
Join(p) ==
  /\ life' = [life EXCEPT ![p] = @ + 1]
  /\ lease' = [lease EXCEPT ![<<p, life[p] + 1>>] = "valid"]
  /\ doing' = [doing EXCEPT ![p] = Idle]

Heartbeat(p) ==
  /\ Awake(p) /\ ~IsLocked(Id(p))
  /\ \/ /\ lease[Id(p)] = "expired"
        /\ lease' = [lease EXCEPT ![Id(p)] = "valid"]
        /\ UNCHANGED <<life, doing>>
     \/ /\ lease[Id(p)] = "gone"
        /\ Join(p)
  /\ UNCHANGED <<task, results, frozen, wire, reaping, faults>>

(***************************************************************************)
(* Leases and reapers.                                                     *)
(***************************************************************************)

IsSilent(id) == id[1] \in frozen \/ life[id[1]] # id[2]

Expire(id) ==
  /\ lease[id] = "valid" /\ IsSilent(id)
  /\ lease' = [lease EXCEPT ![id] = "expired"]
  /\ UNCHANGED <<task, results, life, doing, frozen, wire, reaping, faults>>

\* Locks the row of a process whose lease ran out: it cannot renew, and other reapers skip it.
ReapRead(r) ==
  /\ reaping[r] = Resting
  /\ \E id \in Ids :
       /\ lease[id] = "expired" /\ ~IsLocked(id)
       /\ reaping' = [reaping EXCEPT ![r] = [id |-> id, read |-> task]]
  /\ UNCHANGED <<task, results, lease, life, doing, frozen, wire, faults>>

ReapWrite(r) ==
  /\ reaping[r] # Resting
  /\ task' = Freed(reaping[r].id, reaping[r].read)
  /\ lease' = [lease EXCEPT ![reaping[r].id] = "gone"]
  /\ reaping' = [reaping EXCEPT ![r] = Resting]
  /\ UNCHANGED <<results, life, doing, frozen, wire, faults>>

ReapOrphan ==
  /\ IsOrphan
  /\ task' = [task EXCEPT !.state = "ready", !.owner = Nobody]
  /\ UNCHANGED <<results, lease, life, doing, frozen, wire, reaping, faults>>

Thaw(p) ==
  /\ p \in frozen
  /\ frozen' = frozen \ {p}
  /\ UNCHANGED <<task, results, lease, life, doing, wire, reaping, faults>>

(***************************************************************************)
(* Faults.                                                                 *)
(***************************************************************************)

Freeze(p) ==
  /\ Awake(p)
  /\ frozen' = frozen \cup {p}
  /\ UNCHANGED <<task, results, lease, life, doing, wire, reaping>>

\* It comes back at once, as somebody else. What it sent may still arrive.
Crash(p) ==
  /\ Join(p)
  /\ frozen' = frozen \ {p}
  /\ UNCHANGED <<task, results, wire, reaping>>

ClaimUnheard(p) ==
  /\ MayClaim(p)
  /\ task' = Leased(p)
  /\ UNCHANGED <<results, lease, life, doing, frozen, wire, reaping>>

\* A claim that was on its way while its process was reaped leases the task to nobody.
ClaimLate(p) ==
  /\ doing[p] = Idle /\ task.state = "ready" /\ lease[Id(p)] = "gone"
  /\ task' = Leased(p)
  /\ doing' \in {doing, [doing EXCEPT ![p] = [at |-> "body", step |-> task.step, token |-> task.token + 1]]}
  /\ UNCHANGED <<results, lease, life, frozen, wire, reaping>>

\* The connection breaks: the settlement never arrives, or it does and its reply is lost. One that
\* is still on its way may arrive after the process has looked.
LoseTouch(p) ==
  /\ Awaited(p) # {}
  /\ doing' = [doing EXCEPT ![p].at = "unsure"]
  /\ wire' \in {wire, wire \ Awaited(p)}
  /\ UNCHANGED <<task, results, lease, life, frozen, reaping>>

\* The database's clock jumps: a lease runs out although its process is well.
ClockJump(id) ==
  /\ lease[id] = "valid"
  /\ lease' = [lease EXCEPT ![id] = "expired"]
  /\ UNCHANGED <<task, results, life, doing, frozen, wire, reaping>>

ReaperDies(r) ==
  /\ reaping[r] # Resting
  /\ reaping' = [reaping EXCEPT ![r] = Resting]
  /\ UNCHANGED <<task, results, lease, life, doing, frozen, wire>>

Fault ==
  /\ faults < MaxFaults
  /\ faults' = faults + 1
  /\ \/ \E p \in Processes : Freeze(p) \/ Crash(p) \/ ClaimUnheard(p) \/ ClaimLate(p) \/ LoseTouch(p)
     \/ \E id \in Ids : ClockJump(id)
     \/ \E r \in Reapers : ReaperDies(r)

(***************************************************************************)
(* All of it.                                                              *)
(***************************************************************************)

Work ==
  \/ \E p \in Processes : Claim(p) \/ Finish(p) \/ LookUp(p) \/ Reconcile(p) \/ Heartbeat(p) \/ Thaw(p)
  \/ \E request \in wire : Settle(request)
  \/ \E id \in Ids : Expire(id)
  \/ \E r \in Reapers : ReapRead(r) \/ ReapWrite(r)
  \/ ReapOrphan

Ended == task.state = "gone" /\ UNCHANGED vars

Next == Work \/ Fault \/ Ended

Spec == Init /\ [][Next]_vars /\ WF_vars(Work)

(***************************************************************************)
(* What must hold.                                                         *)
(***************************************************************************)

\* I2
AtMostOneResult == \A s \in Steps : Len(results[s]) <= 1

\* I3
NewestTokenWins ==
  \A s \in Steps : \A i \in DOMAIN results[s] : results[s][i].token = results[s][i].newest

\* I2: a step that has a result is not waiting and not leased again.
CommittedNeverRerun == task.state # "gone" => results[task.step] = <<>>

\* I5, for a chain.
InOrder == \A s \in Steps \ {1} : results[s] # <<>> => results[s - 1] # <<>>

\* I3: no token is good for two steps.
TokenCoversOneStep ==
  \A s, t \in Steps :
    s # t => \A i \in DOMAIN results[s], j \in DOMAIN results[t] : results[s][i].token # results[t][j].token

\* I4: two processes are at one step only if one of them has been reaped and has not noticed.
OverlapOnlyAfterReap ==
  \A p, q \in Processes :
    (p # q /\ doing[p] # Idle /\ doing[q] # Idle /\ doing[p].step = doing[q].step)
      => lease[Id(p)] = "gone" \/ lease[Id(q)] = "gone"

\* I1 and I8, once the faults have stopped.
EveryStepEnds == <>(\A s \in Steps : results[s] # <<>>)
=============================================================================
