// Why an assignment cannot be graded here, and where it can.

import { t } from '../../language/texts.ts';
import { NotChosen } from '../gradebook/NotChosen.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { Titled } from './Titled.tsx';

interface Given {
  readonly course_id: number;
  readonly assignment_id: number;
}

export function NoQueue({ course_id, assignment_id }: Given) {
  const book = useLive('courses', 'gradebook.open', { course_id });
  return (
    <Shown live={book}>
      {(view) => {
        const column = view?.columns.find((one) => one.assignment_id === assignment_id);
        return (
          <Titled title={column?.title ?? t('grading.title')} course_id={course_id}>
            {view && view.choice !== 'chosen' ? (
              <NotChosen view={view} />
            ) : column?.is_anonymous ? (
              <Elsewhere course_id={course_id} assignment_id={assignment_id} />
            ) : (
              <Blank icon="assignment" title={t('grading.unknown')} />
            )}
          </Titled>
        );
      }}
    </Shown>
  );
}

/** An anonymous assignment: the desk would show who has handed in what. */
export function Elsewhere({ course_id, assignment_id }: Given) {
  const account = useLive('account', 'account.current');
  const address = account.value && `${account.value.url}/courses/${course_id}/gradebook/speed_grader?assignment_id=${assignment_id}`;
  return (
    <Blank icon="hidden" title={t('grading.anonymous')}>
      <p>{t('grading.anonymousMeans')}</p>
      {address && (
        <a className="button primary" href={address} target="_blank" rel="noopener noreferrer">
          <Icon name="open" />
          {t('grading.inBrowser')}
        </a>
      )}
      <a className="button" href={hrefOf({ at: 'folders', course_id })}>
        <Icon name="folder" />
        {t('folders.link')}
      </a>
    </Blank>
  );
}
