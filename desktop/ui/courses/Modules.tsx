// The modules of a course with their requirements and progress.

import type { ModuleView } from '../../contract/course.ts';
import { moment } from '../../language/dates.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { useLive } from '../live.ts';
import { Blank } from '../parts/Blank.tsx';
import { Icon, type IconName } from '../parts/Icon.tsx';
import { ProgressBar } from '../parts/ProgressBar.tsx';
import { Shown } from '../parts/Shown.tsx';
import { Tag, type TagTone } from '../parts/Tag.tsx';
import { addressOfReading, hrefOf } from '../routes.ts';
import { markItemDone, markViewed } from './mark.ts';

type Item = ModuleView['items'][number];
type Place = { readonly course_id: number; readonly module_id: number; readonly item_id: number };

const states: Readonly<Record<NonNullable<ModuleView['state']>, { word: MessageKey; tone: TagTone; icon?: IconName }>> = {
  locked: { word: 'module.locked', tone: 'plain', icon: 'lock' },
  unlocked: { word: 'module.unlocked', tone: 'plain' },
  started: { word: 'module.started', tone: 'busy' },
  completed: { word: 'module.completed', tone: 'good', icon: 'check' },
};

const icons: Readonly<Record<string, IconName>> = {
  Page: 'page',
  Assignment: 'assignment',
  Discussion: 'discussion',
  File: 'files',
  Quiz: 'quiz',
  ExternalUrl: 'link',
  ExternalTool: 'link',
};

const asks: Readonly<Record<string, MessageKey>> = {
  must_view: 'asks.view',
  must_mark_done: 'asks.markDone',
  must_contribute: 'asks.contribute',
  must_submit: 'asks.submit',
  min_score: 'asks.score',
  min_percentage: 'asks.percentage',
};

/** The labels of the same requirements once the server confirms that they are met. */
const met: Readonly<Record<string, MessageKey>> = {
  must_view: 'asks.viewed',
  must_mark_done: 'done',
  must_contribute: 'asks.contributed',
  must_submit: 'asks.submitted',
  min_score: 'asks.scoreMet',
  min_percentage: 'asks.percentageMet',
};

export function Modules({ course_id }: { course_id: number }) {
  const modules = useLive('courses', 'course.modules', { course_id });
  return (
    <Shown live={modules}>
      {(found) =>
        found.length === 0 ? (
          <Blank icon="courses" title={t('modules.none')}>
            <p>{t('modules.elsewhere')}</p>
          </Blank>
        ) : (
          <div className="modules">
            {found.map((module) => (
              <Module key={module.id} module={module} course_id={course_id} />
            ))}
          </div>
        )
      }
    </Shown>
  );
}

function Module({ module, course_id }: { module: ModuleView; course_id: number }) {
  const asked = module.items.filter((item) => item.requirement !== null);
  const count = asked.filter((item) => item.completed).length;
  const state = module.state && states[module.state];
  return (
    <details className="module" open={module.state !== 'completed' && module.state !== 'locked'}>
      <summary>
        <h2>{module.name}</h2>
        <span className="module-state">
          {asked.length > 0 && (
            <>
              <small>{t('module.met', { met: count, asked: asked.length })}</small>
              <ProgressBar quiet share={count / asked.length} label={t('requirements.metIn', { name: module.name })} />
            </>
          )}
          {state && (
            <Tag tone={state.tone} icon={state.icon}>
              {t(state.word)}
            </Tag>
          )}
        </span>
      </summary>
      {module.unlock_at && module.state === 'locked' && (
        <p className="module-lock">{t('module.opens', { when: moment(module.unlock_at) })}</p>
      )}
      {module.items.length === 0 && <p className="module-lock">{t('module.empty')}</p>}
      <ul className="items">
        {module.items.map((item) => (
          <ModuleItem
            key={item.id}
            item={item}
            at={{ course_id, module_id: module.id, item_id: item.id }}
            isLocked={module.state === 'locked'}
          />
        ))}
      </ul>
    </details>
  );
}

function ModuleItem({ item, at, isLocked }: { item: Item; at: Place; isLocked: boolean }) {
  if (item.type === 'SubHeader')
    return (
      <li className="item subheader" data-indent={item.indent}>
        <h3>{item.title}</h3>
      </li>
    );
  const here = item.open
    ? addressOfReading(item.open)
    : item.quiz_id
      ? hrefOf({ at: 'quiz', course_id: at.course_id, id: item.quiz_id })
      : null;
  const address = here ?? item.external_url;
  return (
    <li className="item" data-indent={item.indent}>
      <Icon name={icons[item.type] ?? 'page'} />
      <span className="item-title">
        {address ? (
          <a
            data-stop
            href={address}
            {...(here ? {} : { target: '_blank', rel: 'noreferrer', onClick: () => item.requirement === 'must_view' && markViewed(at) })}
          >
            <bdi>{item.title}</bdi>
          </a>
        ) : (
          <span title={t('module.notKept')}>{item.title}</span>
        )}
        {!here && item.external_url && <small>{t('module.outside')}</small>}
        {!address && <small>{t('module.onServer')}</small>}
      </span>
      {item.requirement && <Asks item={item} requirement={item.requirement} at={at} isLocked={isLocked} />}
    </li>
  );
}

function wordsOf({ completed, pending }: Item, requirement: string): string {
  const key = completed ? met[requirement] : pending ? 'asks.viewedUnsent' : asks[requirement];
  return key ? t(key) : requirement;
}

function Asks({ item, requirement, at, isLocked }: { item: Item; requirement: string; at: Place; isLocked: boolean }) {
  if (requirement === 'must_mark_done' && !isLocked)
    return (
      <button
        type="button"
        className="quiet item-asks"
        data-met={item.completed === true}
        aria-pressed={item.completed === true}
        aria-label={t(item.completed ? 'asks.takeBack' : 'asks.markDoneOf', { title: item.title })}
        disabled={item.pending}
        onClick={() => void markItemDone(at, item.title, !item.completed)}
      >
        <Icon name={item.pending ? 'hourglass' : 'check'} />
        {t(item.pending ? 'unsent' : item.completed ? 'done' : 'asks.markDone')}
      </button>
    );
  return (
    <span className="item-asks" data-met={item.completed === true}>
      {item.completed ? <Icon name="check" /> : item.pending ? <Icon name="hourglass" /> : null}
      <span className="sr-only">{t(item.completed ? 'asks.isMet' : 'asks.isToDo')} </span>
      {wordsOf(item, requirement)}
    </span>
  );
}
