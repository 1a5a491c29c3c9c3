// The gradebook of a course, for people who grade in it; everyone else sees their own grades.

import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { GradebookColumn, GradebookView } from '../../contract/gradebook.ts';
import { inLocale, t } from '../../language/texts.ts';
import { GradesTab } from '../courses/GradesTab.tsx';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Shown } from '../parts/Shown.tsx';
import { hrefOf } from '../routes.ts';
import { type BookFilter, type BookShape, type BookSort, bookOf, bookShapeOf, noFilter, readCells } from './book.ts';
import { CommentDialog } from './CommentDialog.tsx';
import { BookFilters, Legend } from './Filters.tsx';
import { Grid, type Target } from './grid/Grid.tsx';
import { ActionMenu, type MenuItem } from './Menu.tsx';
import { MessageDialog } from './MessageDialog.tsx';
import { cellActs, columnActs } from './menus.ts';
import { NotChosen, Unchoose } from './NotChosen.tsx';
import { OneAssignment } from './OneAssignment.tsx';
import { PostingDialog } from './PostingDialog.tsx';
import { Selected } from './Selected.tsx';
import { countedColumns, countedTotals } from './totals.ts';
import { useEntries } from './useEntries.ts';
import { useNarrow } from './useNarrow.ts';

export function GradebookTab({ course_id }: { course_id: number }) {
  const book = useLive('courses', 'gradebook.open', { course_id });
  return (
    <Shown live={book}>
      {(view) => {
        if (view === null) return <GradesTab course_id={course_id} />;
        if (view.choice !== 'chosen') return <NotChosen view={view} />;
        return <Gradebook view={view} readAgain={book.readAgain} />;
      }}
    </Shown>
  );
}

const localeOf = inLocale((locale) => locale);

function Gradebook({ view, readAgain }: { view: GradebookView; readAgain: () => Promise<void> }) {
  const { course_id } = view;
  const [filter, setFilter] = useState<BookFilter>(noFilter);
  const [sort, setSort] = useState<BookSort>({ by: 'name', descending: false });
  const isNarrow = useNarrow();
  const { entered, enter, undo } = useEntries(course_id, readAgain);
  const read = useMemo(() => readCells(view), [view]);
  const book = useMemo(() => bookOf(view, read, entered), [view, read, entered]);
  const shape = useShape(book, useDeferredValue(filter), sort);
  if (view.rows.length === 0 || view.columns.length === 0)
    return (
      <Blank
        icon={view.rows.length === 0 ? 'people' : 'assignment'}
        title={t(view.rows.length === 0 ? 'book.noStudents' : 'assignments.none')}
      >
        {view.is_loading && <p>{t('book.loading')}</p>}
      </Blank>
    );
  return (
    <div className="gradebook" data-narrow={isNarrow || undefined}>
      <BookFilters view={view} filter={filter} onChange={setFilter} isOfOne={isNarrow} />
      {view.is_loading && (
        <p className="book-loading" role="status">
          <Icon name="hourglass" />
          {t('book.loading')}
        </p>
      )}
      {isNarrow ? (
        <OneAssignment book={book} shape={shape} status={filter.status} enter={enter} undo={undo} />
      ) : shape.users.length === 0 || shape.assignments.length === 0 ? (
        <p className="none-match">{t('book.noneMatch', { count: view.rows.length })}</p>
      ) : (
        <Wide book={book} shape={shape} sort={sort} onSort={setSort} enter={enter} undo={undo} />
      )}
      <div className="book-foot">
        <Legend />
        <span className="book-ways">
          <a href={hrefOf({ at: 'folders', course_id })}>{t('folders.link')}</a>
          <Unchoose course_id={course_id} />
        </span>
      </div>
    </div>
  );
}

/** Computed when the filter, the order or the roster changes, and not when a grade does. */
function useShape(book: ReturnType<typeof bookOf>, filter: BookFilter, sort: BookSort): BookShape {
  const latest = useRef(book);
  latest.current = book;
  const roster = `${book.view.rows.map(({ user_id, state }) => `${user_id}${state}`)} ${book.view.columns.map(({ assignment_id }) => assignment_id)}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the roster is a key for the parts of the book that count
  return useMemo(() => bookShapeOf(latest.current, filter, sort, localeOf()), [roster, filter, sort]);
}

interface WideGiven extends Pick<ReturnType<typeof useEntries>, 'enter' | 'undo'> {
  readonly book: ReturnType<typeof bookOf>;
  readonly shape: BookShape;
  readonly sort: BookSort;
  readonly onSort: (sort: BookSort) => void;
}

const nothing: Target = { row: undefined, column: undefined, cell: undefined, isTotal: false };

function Wide({ book, shape, sort, onSort, enter, undo }: WideGiven) {
  const { course_id } = book.view;
  const [target, setTarget] = useState<Target>(nothing);
  const [menu, setMenu] = useState<{ readonly label: string; readonly items: readonly MenuItem[] } | null>(null);
  const [comment, setComment] = useState<Target | null>(null);
  const [message, setMessage] = useState<GradebookColumn | null>(null);
  const [posting, setPosting] = useState<{ readonly of: GradebookColumn; readonly shown: boolean } | null>(null);
  const beside = useRef<HTMLElement>(null);
  const statistics = useMemo(() => countedColumns(book, shape.counted), [book, shape.counted]);
  const totals = useMemo(() => countedTotals(book, shape.counted), [book, shape.counted]);
  const openMenu = ({ row, column, cell, isTotal }: Target, element: HTMLElement) => {
    beside.current = element;
    if (row && column && cell)
      setMenu({
        label: t('book.menuOf', { name: row.name, title: column.title }),
        items: cellActs({
          course_id,
          column,
          cell,
          put: (entry) => void enter(column, cell, entry),
          comment: () => setComment({ row, column, cell, isTotal }),
        }),
      });
    else if (!row)
      setMenu({
        label: column?.title ?? t(isTotal ? 'book.total' : 'book.student'),
        items: columnActs({
          course_id,
          column,
          by: column ? column.assignment_id : isTotal ? 'total' : 'name',
          sort,
          onSort,
          message: setMessage,
          post: (of, shown) => setPosting({ of, shown }),
        }),
      });
  };
  const closeMenu = useCallback(() => {
    setMenu(null);
    // A press elsewhere that closed the menu has its own focus.
    const at = document.activeElement;
    if (!at || at === document.body || at.closest('.popup')) beside.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Grid
        book={book}
        shape={shape}
        sort={sort}
        enter={enter}
        undo={undo}
        onActive={setTarget}
        openMenu={openMenu}
        openComment={(given) => given.cell && setComment(given)}
      />
      <Selected course_id={course_id} target={target} statistics={statistics} totals={totals} comment={() => setComment(target)} />
      {menu && <ActionMenu label={menu.label} beside={beside} items={menu.items} onClose={closeMenu} />}
      {posting && <PostingDialog course_id={course_id} column={posting.of} shown={posting.shown} onClose={() => setPosting(null)} />}
      {message && <MessageDialog book={book} column={message} onClose={() => setMessage(null)} />}
      {comment?.row && comment.column && (
        <CommentDialog course_id={course_id} row={comment.row} column={comment.column} onClose={() => setComment(null)} />
      )}
    </>
  );
}
