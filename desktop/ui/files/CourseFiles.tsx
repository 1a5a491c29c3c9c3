// The files of one course by folder.

import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { FileView } from '../../contract/files.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { CountedFiles, useCount } from './CountedFiles.tsx';
import { FileFilter } from './FileFilter.tsx';
import { FileListRow } from './FileListRow.tsx';
import { useGrowing } from './growing.ts';
import { Publish } from './Publish.tsx';
import { byFolder, type Filter, firstFiles, matches } from './states.ts';

export function CourseFiles({ course_id }: { course_id: number }) {
  const [filter, setFilter] = useState<Filter>({ shelf: 'all', name: '' });
  return (
    <>
      {course_id > 0 && <Publish course_id={course_id} />}
      <FileFilter filter={filter} onChange={setFilter} />
      <CountedFiles>
        <FileList course_id={course_id} filter={filter} title="h2" />
      </CountedFiles>
    </>
  );
}

/** `title` is the heading level of the folder names. */
export function FileList({ course_id, filter, title }: { course_id: number; filter: Filter; title: 'h2' | 'h3' }) {
  const files = useLive('files', 'course.files', { course_id });
  return <Shown live={files}>{(all) => <Folders all={all} course_id={course_id} filter={filter} title={title} />}</Shown>;
}

interface FoldersGiven {
  readonly all: readonly FileView[];
  readonly course_id: number;
  readonly filter: Filter;
  readonly title: 'h2' | 'h3';
}

function Folders({ all, course_id, filter: given, title: Title }: FoldersGiven) {
  // The filter field updates at once; a long list may follow later.
  const filter = useDeferredValue(given);
  const folders = useMemo(() => byFolder(all.filter(matches(filter))), [all, filter]);
  const found = folders.reduce((sum, [, inside]) => sum + inside.length, 0);
  const drawn = useGrowing(found);
  const count = useCount();
  useEffect(() => count(course_id, { found, all: all.length }), [count, course_id, found, all.length]);
  if (all.length === 0) return <Blank icon="files" title={t('files.none')} />;
  if (found === 0) return <p className="none-match">{t('files.noneMatch', { count: all.length })}</p>;
  const whole = new Map(folders);
  return (
    <div className="folders" data-long={found > long} aria-busy={drawn < found || undefined}>
      {firstFiles(folders, drawn).map(([folder, inside]) => (
        <div key={folder} className="folder">
          <Title className="folder-name">
            <Icon name="folder" />
            <bdi>{folder ? folder.replaceAll('/', ' / ') : t(course_id === 0 ? 'mine.title' : 'files.courseFolder')}</bdi>
            <Amount of={whole.get(folder) ?? inside} />
          </Title>
          <ul>
            {inside.map((file) => (
              <FileListRow key={file.id} file={file} course_id={course_id} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** More rows than this are a long list: a few screens. */
const long = 200;

const Amount = ({ of }: { of: readonly FileView[] }) => (
  <small>{t('files.amount', { count: of.length, size: size(of.reduce((sum, file) => sum + file.size, 0)) })}</small>
);
