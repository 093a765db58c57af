-- Who has the link of an image can see it, so that the database and the folder of the files must not contain it: the file has
-- a name of its own, and the link is encrypted for the message that has the image (decision 0057).
alter table attachments
  -- null for images from before, whose file has the name of the link
  add column link_encrypted bytea,
  -- what the link is encrypted for: the user who uploaded it, then its message
  add column link_bound_to uuid,
  add constraint links_are_bound check ((link_encrypted is null) = (link_bound_to is null));
