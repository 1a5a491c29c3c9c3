// The channels for writing and handing in work, and for its state.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import { t } from '../../language/texts';
import type { Workspace } from '../accounts/workspace';
import type { AssignmentJson } from '../model/resources';
import { roleIn } from '../model/teaching';
import { submissionOf } from '../outbox/hand_in';
import { isAllowedName } from '../outbox/may_hand_in';
import type { StoredDraft } from '../outbox/work_drafts';
import { changeDraft, draftAt, forgetBytes, takeFile } from '../outbox/work_drafts';
import { workView } from '../views/work';

type WorkChannel = Extract<Channel, `work.${string}`>;
type Channels = { readonly [C in WorkChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

interface Around {
  readonly here: () => Workspace;
  readonly changed: () => void;
  readonly syncSoon: () => void;
}

/** Milliseconds. */
const aPause = 250;

export function workChannels({ here, changed, syncSoon }: Around): Channels {
  const isWaiting = (id: number): boolean =>
    here()
      .outbox.pending()
      .some((intent) => intent.verb === 'hand in' && intent.body.assignment_id === id);
  const expectFree = (id: number): void => {
    if (isWaiting(id)) throw new Error(t('why.onItsWay'));
  };
  const expectStudent = (course_id: number): void => {
    const { cache, signedIn } = here();
    if (roleIn(cache, course_id, signedIn.user_id) === 'observes') throw new Error(t('why.observes'));
  };
  const assignmentAt = (id: number): AssignmentJson => {
    const found = here().cache.get<AssignmentJson>('assignment', id);
    if (!found) throw new Error(t('why.assignmentGone'));
    return found;
  };
  const place = ({ course_id, id }: { course_id: number; id: number }) => ({ course_id, assignment_id: id });

  // Views of the work are updated after a pause, not with every keystroke.
  let telling: NodeJS.Timeout | undefined;
  const changedSoon = (): void => {
    clearTimeout(telling);
    telling = setTimeout(changed, aPause).unref();
  };

  return {
    'work.open': async ({ course_id, id }) => workView(here(), course_id, id),
    'work.write': async ({ type, text, url, ...at }) => {
      expectStudent(at.course_id);
      expectFree(at.id);
      const { user, now } = here();
      const before = draftAt(user, at.id);
      changeDraft(user, place(at), { type, text, url }, now());
      if (before?.type === type) changedSoon();
      else changed();
      return null;
    },
    'work.attach': async ({ name, path, ...at }) => {
      expectStudent(at.course_id);
      expectFree(at.id);
      const { user, now } = here();
      const assignment = assignmentAt(at.id);
      if (!isAllowedName(assignment, name))
        throw new Error(t('why.otherKinds', { kinds: assignment.allowed_extensions?.join(', ') ?? '' }));
      const file = await takeFile(user, path, name);
      const before = draftAt(user, at.id)?.files.filter(({ sha256 }) => sha256 !== file.sha256) ?? [];
      changeDraft(user, place(at), { type: 'online_upload', files: [...before, file] }, now());
      changed();
      return null;
    },
    'work.detach': async ({ sha256, ...at }) => {
      const { user, now } = here();
      const draft = draftAt(user, at.id);
      if (!draft) return null;
      changeDraft(user, place(at), { type: draft.type, files: draft.files.filter((file) => file.sha256 !== sha256) }, now());
      await forgetBytes(user, sha256);
      changed();
      return null;
    },
    'work.hand_in': async ({ course_id, id }) => {
      expectStudent(course_id);
      const { user, outbox, cache, signedIn } = here();
      const draft = draftAt(user, id);
      if (!draft || isEmpty(draft)) throw new Error(t('why.nothingToHandIn'));
      const { type, text, url, files } = draft;
      const known_attempt = submissionOf(cache, place({ course_id, id }), signedIn.user_id)?.attempt ?? 0;
      const title = cache.get<AssignmentJson>('assignment', id)?.name;
      outbox.handIn({ ...place({ course_id, id }), title, type, text, url, files: type === 'online_upload' ? files : [], known_attempt });
      changed();
      syncSoon();
      return null;
    },
  };
}

const isEmpty = ({ type, text, url, files }: StoredDraft): boolean =>
  type === 'online_text_entry' ? text.trim() === '' : type === 'online_url' ? url.trim() === '' : files.length === 0;
