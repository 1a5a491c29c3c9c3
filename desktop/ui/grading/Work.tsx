// What a student handed in: the attempts, their text, address and files in the viewers of the reader.

import { Suspense, useEffect, useState } from 'react';
import type { GradedAttempt, GradedFile } from '../../contract/gradebook.ts';
import { size } from '../../language/amounts.ts';
import { moment } from '../../language/dates.ts';
import { t } from '../../language/texts.ts';
import { openElsewhere } from '../files/open.ts';
import { host } from '../host.ts';
import { useLive } from '../live.ts';
import { Blank, Loading } from '../parts/Blank.tsx';
import { Boundary } from '../parts/Boundary.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag } from '../parts/Tag.tsx';
import { readingDocument } from '../reader/document.ts';
import { Viewed } from '../reader/FilePane.tsx';
import styleSheet from '../reader/reading.css?url';
import { SheetHere } from '../reader/Sheet.tsx';
import { useTextSize } from '../reader/TextSizeButtons.tsx';

interface Given {
  readonly course_id: number;
  readonly assignment_id: number;
  readonly name: string;
  readonly attempts: readonly GradedAttempt[];
}

export function WorkOfStudent({ course_id, assignment_id, name, attempts }: Given) {
  const [chosen, setChosen] = useState<number | null>(null);
  const attempt = attempts.find((one) => one.attempt === chosen) ?? attempts[0];
  if (!attempt) return <Blank icon="assignment" title={t('grading.nothing')} />;
  return (
    <section className="grading-work" aria-label={t('grading.workOf', { name })}>
      <div className="grading-attempt">
        {attempts.length > 1 ? (
          <label>
            <span className="sr-only">{t('grading.attempt')}</span>
            <select value={attempt.attempt} onChange={({ target }) => setChosen(Number(target.value))}>
              {attempts.map((one) => (
                <option key={one.attempt} value={one.attempt}>
                  {t('grading.attemptAt', { attempt: one.attempt, when: one.submitted_at ? moment(one.submitted_at) : '' })}
                </option>
              ))}
            </select>
          </label>
        ) : (
          attempt.submitted_at && <span className="soft">{t('grading.handedInAt', { when: moment(attempt.submitted_at) })}</span>
        )}
        {attempt.late && (
          <Tag tone="warn" icon="clock">
            {t('late')}
          </Tag>
        )}
        {attempt !== attempts[0] && <Tag icon="history">{t('grading.earlier')}</Tag>}
      </div>
      <Attempt key={attempt.attempt} attempt={attempt} course_id={course_id} assignment_id={assignment_id} name={name} />
    </section>
  );
}

function Attempt({ attempt, course_id, assignment_id, name }: Omit<Given, 'attempts'> & { attempt: GradedAttempt }) {
  const { html, url, files } = attempt;
  const [open, setOpen] = useState(files[0]?.id);
  const file = files.find(({ id }) => id === open);
  const isEmpty = !html && !url && files.length === 0;
  return (
    <>
      {isEmpty && <Blank icon="page" title={t('grading.noContent')} />}
      {url && (
        <p className="grading-address">
          <Icon name="link" />
          {/^https?:/.test(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {url}
            </a>
          ) : (
            <span>{url}</span>
          )}
        </p>
      )}
      {html && <WorkText html={html} title={t('grading.workOf', { name })} course_id={course_id} assignment_id={assignment_id} />}
      {files.length > 0 && (
        <ul className="grading-files" aria-label={t('tab.files')}>
          {files.map((one) => (
            <li key={one.id}>
              <button type="button" aria-pressed={one.id === open} onClick={() => setOpen(one.id)}>
                <Icon name="clip" />
                <bdi>{one.name}</bdi> <small>{size(one.size)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {file && <WorkFile key={file.id} file={file} course_id={course_id} />}
    </>
  );
}

function WorkText({ html, title, course_id, assignment_id }: { html: string; title: string; course_id: number; assignment_id: number }) {
  const { size: letters } = useTextSize();
  const reading = {
    ...noReading,
    reference: { kind: 'assignment' as const, course_id, id: assignment_id },
    title,
    html,
  };
  if (!host.readingsAt) return <SheetHere reading={reading} letters={letters} isPlain />;
  // In Electron the frame has no origin, so that the work of students can reach nothing of the desk.
  const given = {
    styleSheet: new URL(styleSheet, document.baseURI).href,
    theme: document.documentElement.dataset.theme,
    letters,
    base: document.baseURI,
  };
  return (
    <iframe
      className="sheet apart"
      title={title}
      sandbox="allow-top-navigation-by-user-activation allow-popups"
      srcDoc={readingDocument(reading, given)}
    />
  );
}

const noReading = {
  course_name: '',
  updated_at: null,
  author: null,
  due_at: null,
  unlock_at: null,
  lock_at: null,
  points_possible: null,
  submission: null,
  locked: null,
  student: null,
  to_grade: null,
  is_draft: false,
  comments: [],
  rubric: null,
  bookmark: null,
  attachments: [],
  file: null,
  is_announcement: false,
  earlier: null,
  to_mark: null,
};

function WorkFile({ file, course_id }: { file: GradedFile; course_id: number }) {
  const reading = useLive('files', 'reader.open', { kind: 'file', course_id, id: file.id });
  const { size: letters } = useTextSize();
  const { is_here } = file;
  const { readAgain } = reading;
  // It has been downloaded while its place was open.
  useEffect(() => {
    if (is_here) void readAgain();
  }, [is_here, readAgain]);
  if (!is_here)
    return (
      <Blank icon="hourglass" title={t('grading.notHere')}>
        <p>{t('grading.notHereMeans')}</p>
      </Blank>
    );
  return (
    <Shown live={reading}>
      {(found) =>
        found?.file?.here && found.file.viewer ? (
          <div className="grading-viewer" data-viewer={found.file.viewer}>
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Viewed reading={found} file={found.file} letters={letters} />
              </Suspense>
            </Boundary>
          </div>
        ) : (
          <Blank icon="files" title={t('grading.noViewer')}>
            <button type="button" className="primary" data-key="e" onClick={() => void openElsewhere(file.id)}>
              <Icon name="open" />
              {t('file.elsewhere')}
            </button>
          </Blank>
        )
      }
    </Shown>
  );
}
