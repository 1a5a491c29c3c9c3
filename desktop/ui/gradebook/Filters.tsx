// Which students and assignments the gradebook shows.

import type { GradebookView } from '../../contract/gradebook.ts';
import { t } from '../../language/texts.ts';
import { Find } from '../parts/Find.tsx';
import { Icon } from '../parts/Icon.tsx';
import { type BookFilter, cellStates } from './book.ts';
import { stateIcons, stateWords } from './CellContent.tsx';

interface Given {
  readonly view: GradebookView;
  readonly filter: BookFilter;
  readonly onChange: (filter: BookFilter) => void;
  /** One assignment is shown anyway. */
  readonly isOfOne?: boolean;
}

const numberOrNull = (value: string) => (value === '' ? null : Number(value));

export function BookFilters({ view, filter, onChange, isOfOne = false }: Given) {
  const hasOthers = view.rows.some(({ state }) => state === 'inactive' || state === 'completed');
  return (
    <search className="book-filter">
      <Find says={t('book.find')} value={filter.name} onChange={(name) => onChange({ ...filter, name })} />
      {view.sections.length > 1 && (
        <label>
          <span className="sr-only">{t('book.section')}</span>
          <select value={filter.section ?? ''} onChange={({ target }) => onChange({ ...filter, section: numberOrNull(target.value) })}>
            <option value="">{t('book.allSections')}</option>
            {view.sections.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {view.groups.length > 1 && !isOfOne && (
        <label>
          <span className="sr-only">{t('book.group')}</span>
          <select value={filter.group ?? ''} onChange={({ target }) => onChange({ ...filter, group: numberOrNull(target.value) })}>
            <option value="">{t('book.allGroups')}</option>
            {view.groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span className="sr-only">{t('book.status')}</span>
        <select
          value={filter.status ?? ''}
          onChange={({ target }) => onChange({ ...filter, status: cellStates.find((state) => state === target.value) ?? null })}
        >
          <option value="">{t('book.allStates')}</option>
          {cellStates.map((state) => (
            <option key={state} value={state}>
              {t(stateWords[state])}
            </option>
          ))}
        </select>
      </label>
      {hasOthers && (
        <label className="check">
          <input type="checkbox" checked={filter.everyone} onChange={({ target }) => onChange({ ...filter, everyone: target.checked })} />
          <span>{t('book.everyone')}</span>
        </label>
      )}
    </search>
  );
}

/** What the marks in the cells mean. */
export const Legend = () => (
  <ul className="book-legend" aria-label={t('book.legend')}>
    {cellStates.map((state) => (
      <li key={state} data-state={state}>
        <Icon name={stateIcons[state]} />
        {t(stateWords[state])}
      </li>
    ))}
    <li data-state="hidden">
      <Icon name="hidden" />
      {t('book.hidden')}
    </li>
    <li data-state="comment">
      <i className="cell-comment" />
      {t('book.hasComments')}
    </li>
  </ul>
);
