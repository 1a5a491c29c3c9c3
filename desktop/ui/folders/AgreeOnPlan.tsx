// The plan by assignment, with check boxes, conflicts to decide, what is wrong, and one button.

import { useEffect, useRef } from 'react';
import type { FolderGradePlan, PlannedAssignment, PlannedChange, PlannedGrade } from '../../contract/grading_folders.ts';
import { size } from '../../language/amounts.ts';
import { t } from '../../language/texts.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon } from '../parts/Icon.tsx';
import { resting } from '../parts/resting.ts';
import { Tag } from '../parts/Tag.tsx';
import { chosenIn, type PlanChoices, shareChosen } from './choices.ts';

interface Given {
  readonly plan: FolderGradePlan;
  readonly choices: PlanChoices;
  readonly isBusy: boolean;
  readonly onChoose: (more: PlanChoices) => void;
  readonly onSend: () => void;
  readonly onLook: () => void;
}

export function AgreeOnPlan({ plan, choices, isBusy, onChoose, onSend, onLook }: Given) {
  const count = Object.keys(chosenIn(plan, choices)).length;
  return (
    <div className="folder-plan" aria-busy={isBusy || undefined}>
      {plan.is_offline && (
        <p className="folder-offline" role="status">
          <Icon name="warning" />
          {t('folders.offline')}
        </p>
      )}
      {plan.assignments.map((assignment) => (
        <OfAssignment key={assignment.assignment_id} assignment={assignment} choices={choices} onChoose={onChoose} />
      ))}
      {plan.assignments.length === 0 ? (
        <div role="status">
          <Blank icon="check" title={t('folders.nothing')}>
            <p>{t('folders.nothingMeans')}</p>
            <LookAgain isBusy={isBusy} onLook={onLook} />
          </Blank>
        </div>
      ) : (
        <footer className="folder-send">
          <button type="button" className="primary" {...resting(isBusy || count === 0, onSend)}>
            {t('folders.send', { count })}
          </button>
          <LookAgain isBusy={isBusy} onLook={onLook} />
        </footer>
      )}
    </div>
  );
}

const LookAgain = ({ isBusy, onLook }: Pick<Given, 'isBusy' | 'onLook'>) => (
  <button type="button" {...resting(isBusy, onLook)}>
    {t(isBusy ? 'folders.looking' : 'folders.again')}
  </button>
);

interface OfAssignmentGiven extends Pick<Given, 'choices' | 'onChoose'> {
  readonly assignment: PlannedAssignment;
}

function OfAssignment({ assignment, choices, onChoose }: OfAssignmentGiven) {
  const { assignment_id, title, changes, problems } = assignment;
  const conflicts = changes.filter(({ conflict }) => conflict).length;
  return (
    <section className="folder-assignment" aria-labelledby={`folder-${assignment_id}`}>
      <header>
        <h2 id={`folder-${assignment_id}`}>
          <bdi>{title}</bdi>
        </h2>
        <span className="tags">
          {conflicts > 0 && (
            <Tag tone="warn" icon="compare">
              {t('folders.conflicts', { count: conflicts })}
            </Tag>
          )}
          {problems.length > 0 && (
            <Tag tone="bad" icon="warning">
              {t('folders.problems', { count: problems.length })}
            </Tag>
          )}
        </span>
      </header>
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>
                <SelectAll assignment={assignment} choices={choices} onChoose={onChoose} />
              </th>
              <th scope="col">{t('folders.student')}</th>
              <th scope="col">{t('folders.grade')}</th>
              <th scope="col">{t('folders.commentAndFiles')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <Change key={change.key} change={change} choice={choices[change.key]} onChoose={onChoose} />
            ))}
          </tbody>
        </table>
      )}
      {problems.length > 0 && (
        <ul className="folder-problems">
          {problems.map(({ where, row, why }) => (
            <li key={`${where} ${row} ${why}`}>
              <Icon name="warning" />
              <span>
                <b>
                  <bdi>{where}</bdi>
                  {row !== null && ` · ${t('folders.row', { row })}`}
                </b>{' '}
                {why}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SelectAll({ assignment, choices, onChoose }: OfAssignmentGiven) {
  const box = useRef<HTMLInputElement>(null);
  const share = shareChosen(assignment, choices);
  const own = assignment.changes.filter(({ conflict }) => !conflict);
  useEffect(() => {
    if (box.current) box.current.indeterminate = share === 'some';
  }, [share]);
  const set = () => onChoose(Object.fromEntries(own.map(({ key }) => [key, share === 'all' ? undefined : 'send'])));
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={t('folders.selectAll', { title: assignment.title })}
        checked={share === 'all'}
        disabled={own.length === 0}
        onChange={set}
      />
      <span className="folder-all" aria-hidden="true">
        {t('folders.all')}
      </span>
    </label>
  );
}

interface ChangeGiven extends Pick<Given, 'onChoose'> {
  readonly change: PlannedChange;
  readonly choice: PlanChoices[string];
}

function Change({ change, choice, onChoose }: ChangeGiven) {
  const { key, name, members, from, to, comment, files, for_attempt, conflict } = change;
  return (
    <tr data-conflict={conflict !== null || undefined} data-off={choice === undefined || undefined}>
      <td>
        {!conflict && (
          <input
            type="checkbox"
            aria-label={t('folders.select', { name })}
            checked={choice !== undefined}
            onChange={() => onChoose({ [key]: choice ? undefined : 'send' })}
          />
        )}
        {conflict && <Icon name="compare" />}
      </td>
      <th scope="row">
        <bdi>{name}</bdi>
        {members && <span className="folder-members">{members}</span>}
      </th>
      <td className="folder-grade">
        {to && <FromTo from={from} to={to} />}
        {conflict && <Decide change={change} conflict={conflict} choice={choice} onChoose={onChoose} />}
      </td>
      <td className="folder-said">
        {comment && <p className="plain-text">{comment}</p>}
        {files.map((file) => (
          <span className="folder-file" key={file.name}>
            <Icon name="clip" />
            <span>
              <bdi>{file.name}</bdi> <small>{size(file.size)}</small>
            </span>
          </span>
        ))}
        {for_attempt !== null && <small>{t('folders.forAttempt', { attempt: for_attempt })}</small>}
      </td>
    </tr>
  );
}

const gradeText = ({ grade, excused }: PlannedGrade): string => (excused ? t('folders.excused') : (grade ?? t('folders.noGrade')));

const FromTo = ({ from, to }: { from: PlannedGrade; to: PlannedGrade }) => (
  <span className="folder-from-to">
    <span className="sr-only">{t('folders.fromTo', { from: gradeText(from), to: gradeText(to) })}</span>
    <span aria-hidden="true">{from.grade === null && !from.excused ? '–' : gradeText(from)}</span>
    <Icon name="forward" />
    <b aria-hidden="true">{gradeText(to)}</b>
  </span>
);

interface DecideGiven extends ChangeGiven {
  readonly conflict: NonNullable<PlannedChange['conflict']>;
}

function Decide({ change: { key, name, to }, conflict, choice, onChoose }: DecideGiven) {
  const { why, grader } = conflict;
  return (
    <div className="folder-decide">
      <small>{why === 'newer attempt' ? t('folders.newerAttempt') : t('folders.gradedMeanwhile', { grader: grader ?? 'none' })}</small>
      <select
        aria-label={t('folders.decide', { name })}
        value={choice ?? ''}
        onChange={({ target }) => onChoose({ [key]: target.value === 'mine' || target.value === 'theirs' ? target.value : undefined })}
      >
        <option value="">{t('folders.later')}</option>
        <option value="mine">{t('folders.mine', { grade: to ? gradeText(to) : '' })}</option>
        <option value="theirs">{t('folders.theirs', { grade: gradeText(conflict) })}</option>
      </select>
    </div>
  );
}
