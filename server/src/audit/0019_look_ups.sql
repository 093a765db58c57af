-- Look-ups of admins are recorded too (decision 0083), once in ten minutes for the same question.
create index audit_log_actor on audit_log (actor_id, id desc) where actor_id is not null;
