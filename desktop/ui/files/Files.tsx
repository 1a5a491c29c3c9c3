// The files of all courses.

import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { cloth } from '../courses/cloth.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { rich } from '../parts/rich.ts';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { CountedFiles } from './CountedFiles.tsx';
import { FileList } from './CourseFiles.tsx';
import { FileFilter } from './FileFilter.tsx';
import type { Filter } from './states.ts';

export function Files() {
  const courses = useLive('courses', 'courses.list');
  const status = useLive('status', 'sync.status');
  const [filter, setFilter] = useState<Filter>({ shelf: 'all', name: '' });
  const folder = status.value?.folder;
  return (
    <>
      <Heading
        title={t('tab.files')}
        above={folder ? rich('files.keptIn', { path: () => <bdi className="path">{folder}</bdi> }) : undefined}
      >
        <a className="button" href={hrefOf({ at: 'choose' })}>
          {t('choose.open')}
        </a>
      </Heading>
      <Shown live={courses}>
        {(cards) => {
          const withFiles = cards.filter((card) => card.file_count > 0);
          if (withFiles.length === 0)
            return (
              <Blank icon="files" title={t('files.noneAnywhere')}>
                <p>{rich('files.noneYet', { a: (text) => <a href={hrefOf({ at: 'sync' })}>{text}</a> })}</p>
              </Blank>
            );
          return (
            <CountedFiles>
              <FileFilter filter={filter} onChange={setFilter} />
              <MyFiles filter={filter} />
              {withFiles.map((card) => (
                <details key={card.id} className="module" open data-cloth={cloth(card.id)}>
                  <summary>
                    <h2>{card.name}</h2>
                    <span className="module-state">
                      <small>{t('files.count', { count: card.file_count })}</small>
                    </span>
                  </summary>
                  <FileList course_id={card.id} filter={filter} title="h3" />
                </details>
              ))}
            </CountedFiles>
          );
        }}
      </Shown>
    </>
  );
}

/** “My files”: files in this folder are uploaded and appear on every other computer. */
function MyFiles({ filter }: { filter: Filter }) {
  const mine = useLive('files', 'course.files', { course_id: 0 });
  const count = mine.value?.length ?? 0;
  return (
    <details className="module" open data-cloth="none">
      <summary>
        <h2>{t('mine.title')}</h2>
        <span className="module-state">
          <small>{t('files.count', { count })}</small>
        </span>
      </summary>
      <p className="mine-means">{t('mine.means')}</p>
      {count > 0 && <FileList course_id={0} filter={filter} title="h3" />}
    </details>
  );
}
