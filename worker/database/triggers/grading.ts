// Keeps a graded discussion and its assignment in step.

/** A change of either is applied to the other. */
export const gradingTriggers = [
  `create trigger step_topic after update of name, description, workflow_state on assignments
when new.name <> old.name or new.description is not old.description or new.workflow_state <> old.workflow_state begin
  update discussion_topics set title = new.name, message = new.description, updated_at = new.updated_at,
    posted_at = (case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else posted_at end),
    last_reply_at = (case when workflow_state = 'unpublished' and new.workflow_state = 'published' then new.updated_at else last_reply_at end),
    workflow_state = (case new.workflow_state when 'published' then case workflow_state when 'unpublished' then 'active' else workflow_state end else new.workflow_state end)
  where assignment_id = new.id and workflow_state <> 'deleted' and (title <> new.name or message is not new.description
    or (workflow_state = 'unpublished') <> (new.workflow_state = 'unpublished') or new.workflow_state = 'deleted');
end;`,
  `create trigger step_assignment after update of title, message, workflow_state on discussion_topics
when new.assignment_id is not null and (new.title <> old.title or new.message is not old.message or new.workflow_state <> old.workflow_state) begin
  update assignments set name = new.title, description = new.message, updated_at = new.updated_at,
    workflow_state = (case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end)
  where id = new.assignment_id and workflow_state <> 'deleted' and (name <> new.title or description is not new.message
    or workflow_state <> (case new.workflow_state when 'deleted' then 'deleted' when 'unpublished' then 'unpublished' else 'published' end));
end;`,
];
