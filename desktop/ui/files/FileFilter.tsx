// Narrowing the files: by where they are, and by name.

import { Icon } from '../parts/Icon.tsx';
import { type Filter, type Shelf, shelves } from './states.ts';

const words: Readonly<Record<Shelf, string>> = {
  all: 'All',
  here: 'On this computer',
  'not here': 'Not here',
  'needs a look': 'Needs a look',
};

export const FileFilter = ({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) => (
  <search className="filter">
    <fieldset className="choices">
      <legend className="sr-only">Which files</legend>
      {shelves.map((shelf) => (
        <label key={shelf}>
          <input type="radio" name="shelf" checked={filter.shelf === shelf} onChange={() => onChange({ ...filter, shelf })} />
          <span>{words[shelf]}</span>
        </label>
      ))}
    </fieldset>
    <label className="find">
      <Icon name="search" />
      <span className="sr-only">Filter by name</span>
      <input
        type="search"
        data-key="/"
        placeholder="Filter by name"
        value={filter.name}
        onChange={(event) => onChange({ ...filter, name: event.target.value })}
      />
    </label>
  </search>
);
