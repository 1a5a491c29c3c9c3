// Someone else has changed the text meanwhile: both texts, paragraph by paragraph, and what is sent in the end.

import { useState } from 'react';
import type {
  AuthoredField,
  AuthoredPlace,
  AuthoredText,
  FieldConflict,
  MergePart,
  MergeView,
  WaitingText,
} from '../../contract/authoring.ts';
import type { Prose } from '../../contract/reading.ts';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { call } from '../host.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { complain, showToast } from '../parts/Toast.tsx';
import { hrefOf } from '../routes.ts';

type Choice = 'mine' | 'theirs' | 'both';
type Conflict = Extract<MergePart, { from: 'conflict' }>;

const names: Readonly<Record<AuthoredField, MessageKey>> = {
  title: 'author.title',
  published: 'author.published',
  points: 'facts.points',
  due_at: 'due',
  unlock_at: 'facts.opens',
  lock_at: 'facts.closes',
};

function shownValue({ field }: FieldConflict, value: FieldConflict['mine']): string {
  if (typeof value === 'boolean') return t(value ? 'author.yes' : 'author.no');
  if (value === null || value === '') return t('taught.nothing');
  return field.endsWith('_at') ? moment(String(value)) : String(value);
}

/** Which side a part counts for: parts that only one side has changed are taken from it. */
const sideOf = (part: MergePart, choice: Choice | undefined): Choice =>
  choice ?? (part.from === 'both' || part.from === 'conflict' ? 'both' : part.from);

function htmlOf(part: MergePart, choice: Choice | undefined): string {
  if (part.from === 'both') return part.piece.html;
  const side = sideOf(part, choice);
  if (part.from === 'conflict') {
    if (side === 'both') return part.mine.html + part.theirs.html;
    return part[side].html;
  }
  // The other side has left it as it was.
  return side === part.from || side === 'both' ? part.piece.html : part.was.html;
}

interface Given {
  readonly place: AuthoredPlace;
  readonly waiting: WaitingText;
  readonly merge: MergeView;
}

export function MergePane({ place, waiting: { id }, merge: { who, at, merged, fields, parts } }: Given) {
  const [choices, setChoices] = useState<Readonly<Record<number, Choice>>>({});
  const [fieldChoices, setFieldChoices] = useState<Readonly<Partial<Record<AuthoredField, 'mine' | 'theirs'>>>>({});
  const open =
    parts.filter((part, nth) => part.from === 'conflict' && choices[nth] === undefined).length +
    fields.filter(({ field }) => !fieldChoices[field]).length;
  const text = (): AuthoredText => {
    const decided = Object.fromEntries(fields.flatMap(({ field, mine }) => (fieldChoices[field] === 'mine' ? [[field, mine]] : [])));
    const { title, published, ...facts } = { title: merged.title, published: merged.published, ...merged.facts, ...decided };
    return {
      title: String(title),
      published: Boolean(published),
      facts: merged.facts && { ...merged.facts, ...facts },
      html: parts.map((part, nth) => htmlOf(part, choices[nth])).join(''),
    };
  };
  const all = (side: 'mine' | 'theirs') => {
    setChoices(Object.fromEntries(parts.flatMap((part, nth) => (part.from === 'both' ? [] : [[nth, side]]))));
    setFieldChoices(Object.fromEntries(fields.map(({ field }) => [field, side])));
  };
  const resolve = (as: 'text' | 'draft') =>
    call('authoring.resolve', { id, as, text: text() }).then((isHere) => {
      showToast(t(!isHere ? 'outbox.gone' : as === 'text' ? 'author.isWaiting' : 'author.isDraft'));
      if (isHere && as === 'text')
        location.hash = hrefOf({ at: 'course', course_id: place.course_id, tab: place.kind === 'page' ? 'pages' : 'assignments' });
    }, complain);
  return (
    <section className="merge" aria-labelledby="merge-title">
      <div className="merge-head">
        <Icon name="compare" />
        <div>
          <h2 id="merge-title">{t('merge.title')}</h2>
          <p>{t(who ? 'merge.by' : 'merge.bySomeone', { who: who ?? '', when: at ? moment(at) : '' })}</p>
        </div>
        <p className="merge-all">
          <button type="button" className="quiet" onClick={() => all('mine')}>
            {t('merge.allMine')}
          </button>
          <button type="button" className="quiet" onClick={() => all('theirs')}>
            {t('merge.allTheirs')}
          </button>
        </p>
      </div>
      {fields.map((conflict) => (
        <Decide
          key={conflict.field}
          name={t(names[conflict.field])}
          chosen={fieldChoices[conflict.field]}
          choose={(side) => setFieldChoices((before) => ({ ...before, [conflict.field]: side as 'mine' | 'theirs' }))}
          mine={<p>{shownValue(conflict, conflict.mine)}</p>}
          theirs={<p>{shownValue(conflict, conflict.theirs)}</p>}
        />
      ))}
      <div className="merge-text">
        {parts.map((part, nth) => {
          const choose = (side: Choice) => setChoices((before) => ({ ...before, [nth]: side }));
          // Parts have no identity but their place.
          const key = `${nth}-${part.from}`;
          if (part.from === 'both') return <ProseText key={key} of={part.piece.words} className="words merge-same" />;
          if (part.from === 'conflict') return <Both key={key} part={part} chosen={choices[nth]} choose={choose} />;
          return <OneSide key={key} part={part} chosen={sideOf(part, choices[nth])} choose={choose} />;
        })}
      </div>
      <footer className="author-end">
        <button type="button" className="primary" disabled={open > 0} onClick={() => void resolve('text')}>
          {t('merge.send')}
        </button>
        <button type="button" className="quiet" onClick={() => void resolve('draft')}>
          {t('merge.edit')}
        </button>
        {open > 0 && (
          <p className="soft" role="status">
            {t('merge.open', { count: open })}
          </p>
        )}
      </footer>
    </section>
  );
}

const Both = ({ part, chosen, choose }: { part: Conflict; chosen: Choice | undefined; choose: (side: Choice) => void }) => (
  <Decide
    name={t('merge.bothChanged')}
    chosen={chosen}
    choose={choose}
    mine={<Piece of={part.mine.words} />}
    theirs={<Piece of={part.theirs.words} />}
    isBothOffered={part.mine.words.length > 0 && part.theirs.words.length > 0}
  />
);

const Piece = ({ of }: { of: Prose }) => (of.length === 0 ? <p className="soft">{t('merge.removed')}</p> : <ProseText of={of} />);

interface Deciding {
  readonly name: string;
  readonly chosen: Choice | undefined;
  readonly choose: (side: Choice) => void;
  readonly mine: React.ReactNode;
  readonly theirs: React.ReactNode;
  readonly isBothOffered?: boolean;
}

function Decide({ name, chosen, choose, mine, theirs, isBothOffered = false }: Deciding) {
  return (
    <fieldset className="merge-decide" data-open={chosen === undefined}>
      <legend>{name}</legend>
      <Side name={t('merge.mine')} isChosen={chosen === 'mine' || chosen === 'both'} choose={() => choose('mine')}>
        {mine}
      </Side>
      <Side name={t('merge.theirs')} isChosen={chosen === 'theirs' || chosen === 'both'} choose={() => choose('theirs')}>
        {theirs}
      </Side>
      {isBothOffered && (
        <button type="button" aria-pressed={chosen === 'both'} onClick={() => choose('both')}>
          {t('merge.both')}
        </button>
      )}
    </fieldset>
  );
}

const Side = ({ name, isChosen, choose, children }: { name: string; isChosen: boolean; choose: () => void; children: React.ReactNode }) => (
  <div className="merge-side" data-chosen={isChosen}>
    <p className="merge-label">
      <b>{name}</b>
      <button type="button" aria-pressed={isChosen} aria-label={t('merge.takeOf', { whose: name })} onClick={choose}>
        {isChosen && <Icon name="check" />}
        {t('merge.take')}
      </button>
    </p>
    {children}
  </div>
);

/** Only one side has changed it. It is taken unless the author undoes it. */
function OneSide({
  part,
  chosen,
  choose,
}: {
  part: Extract<MergePart, { from: 'mine' | 'theirs' }>;
  chosen: Choice;
  choose: (side: Choice) => void;
}) {
  const { from, piece, was } = part;
  const other = from === 'mine' ? 'theirs' : 'mine';
  const isTaken = chosen !== other;
  const label: MessageKey =
    piece.words.length === 0
      ? from === 'mine'
        ? 'merge.iRemoved'
        : 'merge.theyRemoved'
      : from === 'mine'
        ? 'merge.iChanged'
        : 'merge.theyChanged';
  return (
    <section className="merge-one" data-from={from} data-taken={isTaken} aria-label={t(label)}>
      <p className="merge-label">
        <b>{t(label)}</b>
        <button type="button" aria-pressed={!isTaken} onClick={() => choose(isTaken ? other : from)}>
          {t(isTaken ? 'merge.leave' : 'merge.takeAgain')}
        </button>
      </p>
      {isTaken && piece.words.length > 0 && <ProseText of={piece.words} />}
      {was.words.length > 0 && (
        <details open={piece.words.length === 0 || !isTaken}>
          <summary>{t('merge.before')}</summary>
          <ProseText of={was.words} />
        </details>
      )}
    </section>
  );
}
