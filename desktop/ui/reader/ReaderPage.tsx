// A page, an assignment, a discussion or an announcement.

import { useEffect } from 'react';
import type { Reading, Reference } from '../../contract/reading.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { markItemDone } from '../courses/mark.ts';
import { GradeLink } from '../grading/GradeLinks.tsx';
import { call } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading, Up } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { type CourseTab, hrefOf, type Spot } from '../routes.ts';
import { VersionsLink } from '../versions/Link.tsx';
import { WorkPanel } from '../work/WorkPanel.tsx';
import { Attachments } from './Attachments.tsx';
import { BookmarkButton, Marks } from './Bookmark.tsx';
import { Comments } from './Comments.tsx';
import { Facts } from './Facts.tsx';
import { FilePane } from './FilePane.tsx';
import { Rubric } from './Rubric.tsx';
import { Sheet } from './Sheet.tsx';
import { TextSizeButtons, useTextSize } from './TextSizeButtons.tsx';
import { ThreadPane } from './ThreadPane.tsx';

const tabOf: Readonly<Record<Reference['kind'], CourseTab>> = {
  page: 'pages',
  assignment: 'assignments',
  discussion_topic: 'discussions',
  file: 'files',
  syllabus: 'syllabus',
};

export const ReaderPage = ({ reference, spot }: { reference: Reference; spot?: Spot }) =>
  reference.kind === 'file' ? <FileShown reference={reference} spot={spot} /> : <TextReading reference={reference} />;

const upFrom = ({ kind, course_id }: Reference, isAnnouncement = false, hangs = false) =>
  kind === 'file' && course_id === 0
    ? hrefOf({ at: 'files' })
    : hrefOf({ at: 'course', course_id, tab: isAnnouncement ? 'announcements' : hangs ? 'discussions' : tabOf[kind] });

function TextReading({ reference }: { reference: Reference }) {
  const reading = useLive('courses', 'reader.open', reference);
  const up = upFrom(reference, reading.value?.is_announcement);
  const isShown = !!reading.value && !reading.value.locked;
  const { kind, id } = reference;
  useEffect(() => {
    // Not awaited: if it fails, the item merely stays unread.
    if (isShown && kind !== 'syllabus') void call('reader.seen', { kind, id }).catch(() => undefined);
  }, [isShown, kind, id]);
  return <Shown live={reading}>{(found) => (found ? <Text reading={found} up={up} /> : <NotHere up={up} />)}</Shown>;
}

/** A file: shown in the reader if possible, else with its actions. */
function FileShown({ reference, spot }: { reference: Reference; spot?: Spot }) {
  const reading = useLive('files', 'reader.open', reference);
  const of = reading.value?.reference ?? reference;
  const isOfLetter = reading.value?.file?.hangs === true && of.course_id === 0;
  const up = isOfLetter ? hrefOf({ at: 'inbox', id: null }) : upFrom(of, false, reading.value?.file?.hangs);
  return (
    <Shown live={reading}>
      {(found) =>
        found?.file ? (
          <FilePane reading={found} file={found.file} up={up} spot={spot}>
            {!found.file.hangs && <Marks reading={found} />}
            {found.to_mark && <ToMark at={found.to_mark} course_id={found.reference.course_id} title={found.title} />}
          </FilePane>
        ) : (
          <NotHere up={up} />
        )
      }
    </Shown>
  );
}

const NotHere = ({ up }: { up: string }) => (
  <>
    <Heading title={t('reader.notHere')} />
    <Blank icon="page" title={t('reader.notKept')}>
      <p>{t('reader.perhaps')}</p>
      <p>
        <a href={up}>{t('reader.back')}</a>
      </p>
    </Blank>
  </>
);

function Text({ reading, up }: { reading: Reading; up: string }) {
  const messages = useTextSize();
  const { reference, author, updated_at } = reading;
  return (
    <article className="reader" data-cloth={cloth(reference.course_id)}>
      <Heading title={reading.title} above={<Up to={up}>{reading.course_name}</Up>}>
        {reference.kind === 'assignment' && <GradeLink course_id={reference.course_id} assignment_id={reference.id} />}
        <EditLink reading={reading} />
        <BookmarkButton reading={reading} />
        <TextSizeButtons letters={messages} />
      </Heading>
      {(author || updated_at || reading.earlier !== null) && (
        <p className="byline">
          {author && <span>{author}</span>}
          {updated_at && (
            <time dateTime={updated_at}>
              {reference.kind === 'discussion_topic' ? moment(updated_at) : t('changed', { when: moment(updated_at) })}
            </time>
          )}
          <VersionsLink reading={reading} />
        </p>
      )}
      <Facts reading={reading} />
      {reading.is_draft && <p className="soft">{t('taught.draft')}</p>}
      {reading.locked && (
        <Blank icon="lock" title={t('reader.locked')}>
          <p>{reading.locked}</p>
          {reference.course_id > 0 && (
            <a className="beside" href={hrefOf({ at: 'course', course_id: reference.course_id, tab: 'modules' })}>
              {t('reader.toModules')}
            </a>
          )}
        </Blank>
      )}
      {reading.html.trim() !== '' ? (
        <Sheet reading={reading} letters={messages.size} />
      ) : (
        !reading.locked && <Blank icon="page" title={t('reader.empty')} />
      )}
      <Marks reading={reading} />
      <Attachments of={reading.attachments} />
      {reading.rubric && <Rubric of={reading.rubric} />}
      {reference.kind === 'assignment' && !reading.locked && (
        <WorkPanel at={{ course_id: reference.course_id, id: reference.id }} title={reading.title} />
      )}
      <Comments of={reading.comments} student={reading.student} />
      {reading.to_mark && <ToMark at={reading.to_mark} course_id={reference.course_id} title={reading.title} />}
      {reference.kind === 'discussion_topic' && !reading.locked && (
        <ThreadPane reference={reference} isAnnouncement={reading.is_announcement} />
      )}
    </article>
  );
}

function EditLink({ reading: { may_edit, reference } }: { reading: Reading }) {
  const { kind, course_id, id } = reference;
  if (!may_edit || (kind !== 'page' && kind !== 'assignment')) return null;
  return (
    <a className="button" href={hrefOf({ at: 'author', place: { kind, course_id, id } })}>
      <Icon name="pencil" />
      {t('author.edit')}
    </a>
  );
}

function ToMark({ at, course_id, title }: { at: NonNullable<Reading['to_mark']>; course_id: number; title: string }) {
  const { module_id, item_id, module_name, done, pending } = at;
  return (
    <p className="to-mark">
      <button
        type="button"
        className={done ? 'quiet' : 'primary'}
        aria-pressed={done}
        onClick={() => void markItemDone({ course_id, module_id, item_id }, title, !done)}
      >
        <Icon name="check" />
        {t(done ? 'done' : 'asks.markDone')}
      </button>
      <small>{pending ? t('mark.pending') : t(done ? 'mark.counts' : 'mark.asks', { module: module_name })}</small>
    </p>
  );
}
