// An answer to read: in results, and where it came too late.

import type { AnswerParts, QuizQuestionView } from '../../contract/quizzes.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../parts/Icon.tsx';
import { ProseText } from '../parts/ProseText.tsx';

type Asked = Pick<QuizQuestionView, 'shape' | 'choices' | 'blanks' | 'matches' | 'answer'>;

/** @param right the ids of the right choices, where they are shown */
export function GivenAnswer({ question, right = [] }: { question: Asked; right?: readonly number[] }) {
  const { shape, choices, blanks, matches, answer } = question;
  if (shape === 'none') return null;
  if (shape === 'choice' || shape === 'choices') {
    const given = new Set(Array.isArray(answer) ? answer : [answer]);
    return (
      <ul className="quiz-given">
        {choices.map(({ id, text }) => (
          <li key={id} data-given={given.has(id)} data-right={right.includes(id)}>
            <span className="quiz-mark">
              {(given.has(id) || right.includes(id)) && <Icon name={given.has(id) ? 'check' : 'forward'} />}
            </span>
            <ProseText of={text} />
            {given.has(id) && <small>{t('quiz.yourAnswer')}</small>}
            {right.includes(id) && <small>{t('quiz.rightAnswer')}</small>}
          </li>
        ))}
      </ul>
    );
  }
  if (shape === 'blanks' || shape === 'menus' || shape === 'pairs') {
    const parts = (answer ?? {}) as AnswerParts;
    const rows =
      shape === 'pairs'
        ? choices.map(({ id, text }) => ({
            key: String(id),
            name: <ProseText of={text} />,
            value: matches.find((match) => match.id === parts[String(id)])?.text,
          }))
        : blanks.map(({ name, choices: menu }) => ({
            key: name,
            name,
            value: shape === 'menus' ? menu.find(({ id }) => id === parts[name])?.text : parts[name],
          }));
    return (
      <dl className="quiz-parts">
        {rows.map(({ key, name, value }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{value ?? <span className="soft">{t('quiz.noAnswer')}</span>}</dd>
          </div>
        ))}
      </dl>
    );
  }
  if (shape === 'files' && typeof answer === 'object' && answer !== null && 'files' in answer)
    return <p>{(answer.files as readonly { name: string }[]).map(({ name }) => name).join(', ')}</p>;
  if (answer === null || answer === '') return <p className="soft">{t('quiz.noAnswer')}</p>;
  return <p className="plain-text quiz-text">{String(answer)}</p>;
}
