-- The version of what an event's payload looks like; a reader brings an older one up to its own (src/protocol/upcast-event.ts).
alter table events add column version smallint not null default 1;
