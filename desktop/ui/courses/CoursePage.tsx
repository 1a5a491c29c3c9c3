// One course with a tab each for modules, pages, assignments, discussions, files, announcements and grades.

import { type KeyboardEvent, useEffect } from 'react';
import type { CourseCard } from '../../contract/course.ts';
import { type MessageKey, t } from '../../language/texts.ts';
import { AnnouncementList } from '../announcements/Announcements.tsx';
import { Announce } from '../announcements/NewAnnouncement.tsx';
import { subscriptionOf } from '../calendar/CalendarFeeds.tsx';
import { CourseFiles } from '../files/CourseFiles.tsx';
import { GradebookTab } from '../gradebook/Gradebook.tsx';
import { RosterTab } from '../gradebook/Roster.tsx';
import { useLive } from '../live.ts';
import { StudentSwitch, studentName } from '../observing/StudentSwitch.tsx';
import { OutcomeList } from '../outcomes/OutcomeList.tsx';
import { Blank, Loading } from '../parts/Blank.tsx';
import { Heading } from '../parts/Heading.tsx';
import { Icon } from '../parts/Icon.tsx';
import { rich } from '../parts/rich.ts';
import { stepOf } from '../parts/steps.ts';
import { QuizList } from '../quizzes/QuizList.tsx';
import { type CourseTab, courseTabsOf, go, hrefOf } from '../routes.ts';
import { CourseAssignments } from './Assignments.tsx';
import { cloth } from './cloth.ts';
import { Discussions } from './Discussions.tsx';
import { Modules } from './Modules.tsx';
import { Pages } from './Pages.tsx';
import { PeopleTab } from './PeopleTab.tsx';
import { Syllabus } from './Syllabus.tsx';
import { TaughtAssignments } from './TaughtAssignments.tsx';

const titles: Readonly<Record<CourseTab, MessageKey>> = {
  modules: 'tab.modules',
  syllabus: 'tab.syllabus',
  pages: 'tab.pages',
  assignments: 'tab.assignments',
  quizzes: 'tab.quizzes',
  discussions: 'tab.discussions',
  files: 'tab.files',
  announcements: 'announcements.title',
  grades: 'tab.grades',
  outcomes: 'tab.outcomes',
  people: 'tab.people',
};

const titleOf = (tab: CourseTab, course_id: number): MessageKey => (tab === 'people' && course_id > 0 ? 'tab.students' : titles[tab]);

export function CoursePage({ course_id, tab }: { course_id: number; tab: CourseTab }) {
  const courses = useLive('courses', 'courses.list');
  const card = courses.value?.find((course) => course.id === course_id);
  if (!card && !courses.value) return <Loading />;
  if (!card)
    return (
      <>
        <Heading title={t('course.unknown')} />
        <Blank icon="courses" title={t('course.notOnShelf')}>
          <p>{rich('course.perhapsLeft', { a: (text) => <a href={hrefOf({ at: 'courses' })}>{text}</a> })}</p>
        </Blank>
      </>
    );
  const isTaught = card.role === 'teaches';
  const shown = tabsFor(card).includes(tab) ? tab : 'assignments';
  return (
    <div className="course" data-cloth={cloth(course_id)}>
      <CourseHeading card={card} tab={shown} />
      {card.role === 'observes' && !card.out_of_sight && <StudentSwitch among={card.students} />}
      {card.is_shut && <p className="soft">{t('course.shutMeans')}</p>}
      <CourseTabs card={card} tab={shown} />
      <div role="tabpanel" id="course-panel" aria-labelledby={`tab-${shown}`}>
        {shown === 'modules' && <Modules course_id={course_id} />}
        {shown === 'syllabus' && <Syllabus course_id={course_id} />}
        {shown === 'pages' && <Pages course_id={course_id} mayAuthor={card.may_author} />}
        {shown === 'assignments' && (isTaught ? <TaughtAssignments course_id={course_id} /> : <CourseAssignments course_id={course_id} />)}
        {shown === 'quizzes' && <QuizList course_id={course_id} />}
        {shown === 'discussions' && <Discussions course_id={course_id} />}
        {shown === 'files' && <CourseFiles course_id={course_id} />}
        {shown === 'announcements' && (
          <>
            {isTaught && <Announce course_id={course_id} />}
            <AnnouncementList course_id={course_id} />
          </>
        )}
        {shown === 'people' && (course_id < 0 ? <PeopleTab course_id={course_id} /> : <RosterTab course_id={course_id} />)}
        {shown === 'grades' && <GradebookTab course_id={course_id} />}
        {shown === 'outcomes' && <OutcomeList course_id={course_id} />}
      </div>
    </div>
  );
}

function CourseHeading({ card: { id, name, course_code, student, calendar_url }, tab }: { card: CourseCard; tab: CourseTab }) {
  return (
    <Heading
      title={name}
      part={t(titleOf(tab, id))}
      above={
        <>
          <a href={hrefOf({ at: 'courses' })}>{t('courses.title')}</a> <span className="call-number">{course_code}</span>
          {student && <span className="of-student"> {studentName(student)}</span>}
        </>
      }
    >
      {calendar_url && (
        <a className="button" href={subscriptionOf(calendar_url)} title={t('calendar.subscribeTo', { name })}>
          <Icon name="eventAdd" />
          {t('calendar.subscribe')}
        </a>
      )}
    </Heading>
  );
}

/** Who teaches a course without grading in it has no grades and no students there, and only students have quizzes to take and outcomes to reach. */
const tabsFor = ({ id, role, may_grade = false, has_quizzes = false, has_outcomes = false }: CourseCard): readonly CourseTab[] =>
  courseTabsOf(id).filter((tab) => {
    if (tab === 'grades') return role !== 'teaches' || may_grade;
    if (tab === 'people') return id < 0 || may_grade;
    if (tab === 'outcomes') return has_outcomes;
    return tab !== 'quizzes' || has_quizzes;
  });

function CourseTabs({ card, tab }: { card: CourseCard; tab: CourseTab }) {
  const course_id = card.id;
  const tabs = tabsFor(card);
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = stepOf(event.key);
    if (by === undefined) return;
    event.preventDefault();
    // Starts at the focused tab, so that two quick presses move two tabs even before a redraw.
    const here = tabs.findIndex((name) => `tab-${name}` === document.activeElement?.id);
    const next = tabs[(here + by + tabs.length) % tabs.length] ?? tab;
    go({ at: 'course', course_id, tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  useEffect(() => {
    document.getElementById(`tab-${tab}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <div className="tabs" role="tablist" aria-label={t('course.parts')} onKeyDown={walk}>
      {tabs.map((name) => (
        <a
          key={name}
          id={`tab-${name}`}
          role="tab"
          href={hrefOf({ at: 'course', course_id, tab: name })}
          aria-selected={name === tab}
          aria-controls={name === tab ? 'course-panel' : undefined}
          tabIndex={name === tab ? 0 : -1}
        >
          {t(titleOf(name, course_id))}
        </a>
      ))}
    </div>
  );
}
