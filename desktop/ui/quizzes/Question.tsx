// One question of a running attempt. What is answered is stored on this computer at every change.

import { useEffect, useId, useState } from 'react';
import type { AnswerParts, QuizAnswer, QuizQuestionView } from '../../contract/quizzes.ts';
import { t } from '../../language/texts.ts';
import { call, host } from '../host.ts';
import { Attached } from '../parts/Attached.tsx';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';
import { complain } from '../parts/Toast.tsx';
import { useKeeping } from '../writing/keeping.ts';

interface Given {
  readonly question: QuizQuestionView;
  readonly quiz_id: number;
  /** The time is over. */
  readonly isOff: boolean;
}

export function Question({ question, quiz_id, isOff }: Given) {
  const { id, number, text, shape, is_flagged, refused } = question;
  const [typed, setTyped] = useState<{ readonly answer: QuizAnswer } | null>(null);
  const keeping = useKeeping<QuizAnswer>((answer) => call('quiz.answer', { id: quiz_id, question_id: id, answer }), complain);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another answer was read
  useEffect(() => {
    if (!keeping.isUnkept()) setTyped(null);
  }, [JSON.stringify(question.answer)]);
  const answer = typed ? typed.answer : question.answer;
  const set = (next: QuizAnswer) => {
    setTyped({ answer: next });
    keeping.keep(next);
  };
  const label = useId();
  return (
    <li className="quiz-question" id={`question-${id}`} tabIndex={-1} aria-labelledby={number === null ? undefined : label}>
      {number !== null && (
        <h2 id={label}>
          {t('quiz.question', { number })}
          <button
            type="button"
            className="quiet quiz-flag"
            aria-pressed={is_flagged}
            onClick={() => void call('quiz.flag', { id: quiz_id, question_id: id, flagged: !is_flagged }).catch(complain)}
          >
            <Icon name="marker" />
            {t(is_flagged ? 'quiz.flagged' : 'quiz.flag')}
          </button>
        </h2>
      )}
      <ProseText of={text} />
      {shape !== 'none' && (
        <fieldset className="quiz-fields" disabled={isOff}>
          <legend className="sr-only">{t('quiz.answerTo', { number: number ?? 0 })}</legend>
          <Field question={question} answer={answer} set={set} />
        </fieldset>
      )}
      {refused !== null && (
        <p className="field-problem" role="alert">
          {refused === 'not a number' ? t('quiz.notANumber') : t('quiz.refused', { reason: refused })}
        </p>
      )}
    </li>
  );
}

interface FieldGiven {
  readonly question: QuizQuestionView;
  readonly answer: QuizAnswer;
  readonly set: (answer: QuizAnswer) => void;
}

const partsOf = (answer: QuizAnswer): AnswerParts =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as AnswerParts) : {};

function Field(given: FieldGiven) {
  switch (given.question.shape) {
    case 'choice':
      return <OneChoice {...given} />;
    case 'choices':
      return <SeveralChoices {...given} />;
    case 'blanks':
    case 'menus':
      return <Blanks {...given} />;
    case 'pairs':
      return <Pairs {...given} />;
    case 'files':
      return <Files {...given} />;
    default:
      return <Typed {...given} />;
  }
}

function Typed({ question, answer, set }: FieldGiven) {
  const shown = answer === null || typeof answer === 'object' ? '' : String(answer);
  const label = t('quiz.answerTo', { number: question.number ?? 0 });
  if (question.shape === 'text') return <textarea rows={6} aria-label={label} value={shown} onChange={({ target }) => set(target.value)} />;
  return (
    <input
      className="quiz-line"
      inputMode={question.shape === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      aria-label={label}
      value={shown}
      onChange={({ target }) => set(target.value)}
    />
  );
}

function OneChoice({ question: { id, choices }, answer, set }: FieldGiven) {
  return (
    <>
      {choices.map((choice) => (
        <label key={choice.id} className="quiz-choice">
          <input type="radio" name={`answer-${id}`} checked={answer === choice.id} onChange={() => set(choice.id)} />
          <ProseText of={choice.text} />
        </label>
      ))}
      {answer !== null && (
        <button type="button" className="quiet quiz-clear" onClick={() => set(null)}>
          {t('quiz.clear')}
        </button>
      )}
    </>
  );
}

function SeveralChoices({ question: { choices }, answer, set }: FieldGiven) {
  const given: readonly number[] = Array.isArray(answer) ? answer : [];
  return choices.map((choice) => (
    <label key={choice.id} className="quiz-choice">
      <input
        type="checkbox"
        checked={given.includes(choice.id)}
        onChange={({ target }) => set(target.checked ? [...given, choice.id] : given.filter((one) => one !== choice.id))}
      />
      <ProseText of={choice.text} />
    </label>
  ));
}

function Blanks({ question: { id, blanks, shape }, answer, set }: FieldGiven) {
  const parts = partsOf(answer);
  return (
    <div className="quiz-blanks">
      {blanks.map(({ name, choices }) => (
        <div key={name} className="quiz-pair">
          <span id={`blank-${id}-${name}`}>{name}</span>
          {shape === 'menus' ? (
            <Menu
              labelledBy={`blank-${id}-${name}`}
              choices={choices}
              value={parts[name]}
              choose={(chosen) => set({ ...parts, [name]: chosen })}
            />
          ) : (
            <input
              aria-labelledby={`blank-${id}-${name}`}
              autoComplete="off"
              value={parts[name] ?? ''}
              onChange={({ target }) => set({ ...parts, [name]: target.value || null })}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function Pairs({ question: { choices, matches }, answer, set }: FieldGiven) {
  const parts = partsOf(answer);
  return (
    <div className="quiz-pairs">
      {choices.map(({ id, text }) => (
        <div key={id} className="quiz-pair">
          <div id={`left-${id}`}>
            <ProseText of={text} />
          </div>
          <Menu
            labelledBy={`left-${id}`}
            choices={matches}
            value={parts[String(id)]}
            choose={(match) => set({ ...parts, [String(id)]: match })}
          />
        </div>
      ))}
    </div>
  );
}

interface MenuGiven {
  readonly choices: readonly { readonly id: number; readonly text: string }[];
  readonly value: string | number | null | undefined;
  readonly choose: (id: number | null) => void;
  readonly labelledBy: string;
}

const Menu = ({ choices, value, choose, labelledBy }: MenuGiven) => (
  <select
    aria-labelledby={labelledBy}
    value={value ?? ''}
    onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
  >
    <option value="">{t('quiz.choose')}</option>
    {choices.map(({ id, text }) => (
      <option key={id} value={id}>
        {text}
      </option>
    ))}
  </select>
);

function Files({ answer, set }: FieldGiven) {
  const field = useId();
  const [isCopying, setCopying] = useState(false);
  const files =
    typeof answer === 'object' && answer !== null && 'files' in answer ? (answer.files as Parameters<typeof Attached>[0]['files']) : [];
  const take = async (chosen: readonly File[]) => {
    setCopying(true);
    try {
      const taken = [...files];
      for (const file of chosen) taken.push(await host.attachToLetter(file));
      set({ files: taken });
    } catch (failure) {
      complain(failure);
    } finally {
      setCopying(false);
    }
  };
  return (
    <div className="work-files">
      <Attached files={files} drop={({ sha256 }) => set({ files: files.filter((file) => file.sha256 !== sha256) })} />
      <label htmlFor={field} className="work-choose">
        <Icon name="plus" />
        {t(isCopying ? 'work.copying' : 'work.choose')}
      </label>
      <input
        id={field}
        className="sr-only"
        type="file"
        onChange={({ target }) => {
          void take([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}
