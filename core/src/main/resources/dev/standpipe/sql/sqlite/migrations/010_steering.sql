-- A run may also be started from one of the nodes of another: a fork. A rerun has no node.
alter table standpipe.rerun add column node text;
