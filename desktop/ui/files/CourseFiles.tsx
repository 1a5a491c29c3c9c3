// The files of one course in their folders.

import { useState } from 'react';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { count, size } from '../words/amounts.ts';
import { FileFilter } from './FileFilter.tsx';
import { FileRow } from './FileRow.tsx';
import { byFolder, type Filter, matches } from './states.ts';

export function CourseFiles({ course_id }: { course_id: number }) {
  const [filter, setFilter] = useState<Filter>({ shelf: 'all', name: '' });
  return (
    <>
      <FileFilter filter={filter} onChange={setFilter} />
      <FileList course_id={course_id} filter={filter} title="h2" />
    </>
  );
}

/** `title` is the level of the folders' names below what is around the list. */
export function FileList({ course_id, filter, title: Title }: { course_id: number; filter: Filter; title: 'h2' | 'h3' }) {
  const files = useLive('files', 'course.files', { course_id });
  return (
    <Shown live={files}>
      {(all) => {
        const found = all.filter(matches(filter));
        if (all.length === 0) return <Blank icon="files" title="This course has no files." />;
        if (found.length === 0) return <p className="none-match">None of the {count(all.length, 'file')} here match.</p>;
        return (
          <div className="folders">
            {byFolder(found).map(([folder, inside]) => (
              <div key={folder} className="folder">
                <Title className="folder-name">
                  <Icon name="folder" />
                  <bdi>{folder ? folder.replaceAll('/', ' / ') : 'Course folder'}</bdi>
                  <small>
                    {count(inside.length, 'file')}, {size(inside.reduce((sum, file) => sum + file.size, 0))}
                  </small>
                </Title>
                <ul>
                  {inside.map((file) => (
                    <FileRow key={file.id} file={file} />
                  ))}
                </ul>
              </div>
            ))}
          </div>
        );
      }}
    </Shown>
  );
}
