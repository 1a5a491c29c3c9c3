// Filters files by state and name.

import { type MessageKey, t } from '../../language/texts.ts';
import { Find } from '../parts/Find.tsx';
import { type FileSection, type Filter, fileSections } from './states.ts';

const words: Readonly<Record<FileSection, MessageKey>> = {
  all: 'all',
  here: 'files.here',
  'not here': 'files.notHere',
  'needs a look': 'files.look',
};

export const FileFilter = ({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) => (
  <search className="filter">
    <fieldset className="choices">
      <legend className="sr-only">{t('files.which')}</legend>
      {fileSections.map((shelf) => (
        <label key={shelf}>
          <input type="radio" name="shelf" checked={filter.shelf === shelf} onChange={() => onChange({ ...filter, shelf })} />
          <span>{t(words[shelf])}</span>
        </label>
      ))}
    </fieldset>
    <Find says={t('files.filter')} value={filter.name} onChange={(name) => onChange({ ...filter, name })} />
  </search>
);
