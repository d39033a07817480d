-- R6.4: that what a child did not use is back in its parent's account, or that the parent's own call has said so; looked at once both are over.
alter table children add column settled_at timestamptz;
create index children_unsettled on children (child) where settled_at is null;
grant update (settled_at) on children to holdfast_app;
