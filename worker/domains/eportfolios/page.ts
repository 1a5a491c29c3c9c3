// HTML pages of ePortfolios: the owner's list, a page to read, and the same page with edit forms.

import { escapeHtml, frame } from '../../site/frame';
import { htmlPage } from '../../site/page';
import type { PageEntry, SectionEntry } from './editing';
import type { LoadedPortfolio } from './shown';

// `contain` keeps user content from covering the rest of the page.
const style = `<style>
.folio { display: grid; grid-template-columns: minmax(11rem, 15rem) minmax(0, 1fr); gap: 2rem 3rem; margin-top: 2rem; } @media (max-width: 44rem) { .folio { grid-template-columns: 1fr; } }
.folio nav { font-size: .975rem; } .folio nav h2 { font-size: .85rem; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); margin: 1.5rem 0 .4rem; } .folio nav h2:first-child { margin-top: 0; }
.folio nav ul { list-style: none; margin: 0; padding: 0; } .folio nav a { display: block; padding: .3rem .6rem; margin-left: -.6rem; border-radius: 8px; text-decoration: none; overflow-wrap: anywhere; } .folio nav a:hover { text-decoration: underline; } .folio nav a[aria-current] { background: var(--card); color: var(--ink); font-weight: 600; }
.folio article { contain: layout paint; overflow-wrap: anywhere; } .folio article > h2 { font-size: 1.9rem; line-height: 1.15; margin: 0 0 1rem; } .folio article img, .folio article video { max-width: 100%; height: auto; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: baseline; color: var(--quiet); } .bar form, .bar button { margin: 0; } .tag { border: 1px solid var(--line); border-radius: 99px; padding: .05rem .7rem; font-size: .9rem; background: var(--card); }
textarea { width: 100%; min-height: 18rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 8px; padding: .6rem .75rem; resize: vertical; } textarea:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wide form.card, .wide section { max-width: none; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem 1.5rem 1.5rem; margin: 0 0 1.25rem; }
.line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; } .line input[type=text] { flex: 1 1 12rem; width: auto; } .line button, .small button { margin: 0; padding: .35rem .8rem; font-size: .95rem; } .small { display: inline-flex; flex-wrap: wrap; gap: .4rem; }
.pages { list-style: none; margin: .9rem 0; padding: 0; } .pages li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .4rem 0; border-top: 1px solid var(--line); } .pages a { overflow-wrap: anywhere; }
.bar.ofSection { margin-top: .9rem; padding-top: .9rem; border-top: 1px solid var(--line); justify-content: space-between; }
.danger { color: var(--gone); border-color: var(--gone); background: none; }
</style>`;

const address = (id: number, page?: number, isEdit = false) => {
  const query = [...(isEdit ? ['edit=1'] : []), ...(page === undefined ? [] : [`page=${page}`])].join('&amp;');
  return `/eportfolios/${id}${query === '' ? '' : `?${query}`}`;
};

const alert = (wrong: string | undefined) => (wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`);

const statusOf = ({ public: isPublic, spam_status }: Pick<LoadedPortfolio, 'public' | 'spam_status'>) => {
  if (spam_status === 'marked_as_spam') return 'Marked as spam';
  return isPublic ? 'Public' : 'Private';
};

const frozen =
  '<p class="wrong">A moderator has marked this ePortfolio as spam. Only you and moderators can see it, and it cannot be changed.</p>';

/** Sections with their pages; pages without a section come last. */
const grouped = ({
  sections,
  pages,
}: Pick<LoadedPortfolio, 'sections' | 'pages'>): { section: SectionEntry | undefined; pages: PageEntry[] }[] => {
  const known = new Set(sections.map(({ id }) => id));
  const others = pages.filter((one) => !known.has(one.section_id));
  return [
    ...sections.map((section) => ({ section, pages: pages.filter((one) => one.section_id === section.id) })),
    ...(others.length > 0 ? [{ section: undefined, pages: others }] : []),
  ];
};

const navigation = (found: LoadedPortfolio, isEdit: boolean) => {
  const link = ({ id, name }: PageEntry) =>
    `<li><a href="${address(found.id, id, isEdit)}"${id === found.shown?.id ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  return `<nav aria-label="Pages">${grouped(found)
    .filter(({ pages }) => isEdit || pages.length > 0)
    .map(({ section, pages }) => `${section ? `<h2>${escapeHtml(section.name)}</h2>` : ''}<ul>${pages.map(link).join('')}</ul>`)
    .join('')}</nav>`;
};

export const viewPage = (found: LoadedPortfolio) => {
  const { id, name, owner, shown, isMine, isChangeable } = found;
  const own = isMine
    ? `<p class="bar"><span class="tag">${statusOf(found)}</span>${isChangeable ? `<a href="${address(id, shown?.id, true)}">Edit</a>` : ''}<a href="/eportfolios">Your ePortfolios</a></p>`
    : '';
  const text = shown?.content ? shown.content : '<p class="hint">This page has no text yet.</p>';
  return htmlPage(
    frame(
      name,
      `${style}<h1>${escapeHtml(name)}</h1><p class="lead">${escapeHtml(owner)}</p>${own}${isMine && found.spam_status === 'marked_as_spam' ? frozen : ''}
<div class="folio">${navigation(found, false)}<article>${shown ? `<h2>${escapeHtml(shown.name)}</h2>${text}` : '<p class="hint">This ePortfolio has no pages yet.</p>'}</article></div>`,
    ),
  );
};

type Target = { readonly section: number } | { readonly page: number };

const hidden = (fields: Readonly<Record<string, string | number>>) =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
    .join('');

/** Buttons that move and delete a section or page. */
const buttons = (id: number, what: 'section' | 'page', target: Target, name: string, at: number, count: number, canDelete: boolean) => {
  const label = (verb: string, rest = '') => `aria-label="${verb} ${escapeHtml(name)}${rest}"`;
  const button = (todo: string, text: string, aria: string, extra = '') =>
    `<button class="quiet${extra}" name="do" value="${todo}_${what}${text === 'Up' ? '_up' : text === 'Down' ? '_down' : ''}" ${aria}>${text}</button>`;
  return `<form class="small" method="post" action="${address(id)}">${hidden(target)}${at > 0 ? button('move', 'Up', label('Move', ' up')) : ''}${
    at < count - 1 ? button('move', 'Down', label('Move', ' down')) : ''
  }${canDelete ? button('delete', 'Delete', label('Delete'), ' danger') : ''}</form>`;
};

const textForm = ({ id, shown }: LoadedPortfolio) =>
  shown === undefined
    ? '<section><p>This ePortfolio has no pages yet. Add one below.</p></section>'
    : `<form class="card" method="post" action="${address(id)}">${hidden({ page: shown.id })}
<label for="page_name">Name of the page</label><input type="text" id="page_name" name="name" value="${escapeHtml(shown.name)}" required maxlength="255">
<label for="content">Text</label><textarea id="content" name="content" aria-describedby="content_hint">${escapeHtml(shown.content ?? '')}</textarea>
<p class="hint" id="content_hint">Write plain text, or HTML for headings, links and pictures.</p>
<button name="do" value="save_page">Save page</button></form>`;

const sectionForms = ({ id, sections, pages }: LoadedPortfolio) =>
  sections
    .map((section, at) => {
      const its = pages.filter((one) => one.section_id === section.id);
      const entry = (one: PageEntry, place: number) =>
        `<li><a href="${address(id, one.id, true)}">${escapeHtml(one.name)}</a>${buttons(id, 'page', { page: one.id }, one.name, place, its.length, true)}</li>`;
      return `<section aria-label="Section ${escapeHtml(section.name)}"><form class="line" method="post" action="${address(id)}">${hidden({ section: section.id })}<input type="text" name="name" value="${escapeHtml(section.name)}" aria-label="Name of the section" required maxlength="255"><button class="quiet" name="do" value="rename_section">Rename</button></form>
<ul class="pages">${its.map(entry).join('')}</ul>
<form class="line" method="post" action="${address(id)}">${hidden({ section: section.id })}<input type="text" name="name" placeholder="New page" aria-label="Name of the new page" required maxlength="255"><button class="quiet" name="do" value="add_page">Add page</button></form>
${sections.length > 1 ? `<div class="bar ofSection"><span>This section</span>${buttons(id, 'section', { section: section.id }, section.name, at, sections.length, true)}</div>` : ''}</section>`;
    })
    .join('');

const settingsForm = ({ id, name, public: isPublic }: LoadedPortfolio) =>
  `<form class="card" method="post" action="${address(id)}"><label for="name">Name of the ePortfolio</label><input type="text" id="name" name="name" value="${escapeHtml(name)}" required maxlength="255">
<label class="check"><input type="checkbox" name="public" value="1"${isPublic ? ' checked' : ''}> Public: anyone with the link can read it</label>
<button name="do" value="settings">Save settings</button></form>
<form class="card" method="post" action="${address(id)}"><label class="check"><input type="checkbox" required> Delete this ePortfolio with all its pages</label><button class="danger" name="do" value="delete">Delete ePortfolio</button></form>`;

export const editPage = (found: LoadedPortfolio, wrong?: string) => {
  const { id, name, shown } = found;
  return htmlPage(
    frame(
      `Edit ${name}`,
      `${style}<h1>${escapeHtml(name)}</h1><p class="bar"><span class="tag">${statusOf(found)}</span><a href="${address(id, shown?.id)}">View</a><a href="/eportfolios">Your ePortfolios</a></p>${alert(wrong)}
<div class="folio">${navigation(found, true)}<div class="wide">${textForm(found)}</div></div>
<div class="wide"><h2>Sections and pages</h2>${sectionForms(found)}
<form class="card" method="post" action="${address(id)}"><div class="line"><input type="text" name="name" placeholder="New section" aria-label="Name of the new section" required maxlength="255"><button class="quiet" name="do" value="add_section">Add section</button></div></form>
<h2>Settings</h2>${settingsForm(found)}</div>`,
    ),
    { status: wrong === undefined ? 200 : 400 },
  );
};

interface Listed {
  readonly own: readonly Pick<LoadedPortfolio, 'id' | 'name' | 'public' | 'spam_status' | 'updated_at'>[];
  readonly isBarred: boolean;
  readonly wrong?: string;
}

const createForm = `<h2>New ePortfolio</h2><form class="card" method="post" action="/eportfolios"><label for="name">Name</label><input type="text" id="name" name="eportfolio[name]" required maxlength="255" placeholder="My portfolio">
<label class="check"><input type="checkbox" name="eportfolio[public]" value="1"> Public: anyone with the link can read it</label><button>Create ePortfolio</button></form>`;

export const listPage = ({ own, isBarred, wrong }: Listed) => {
  const card = (one: Listed['own'][number]) =>
    `<li><a href="${address(one.id)}"><strong>${escapeHtml(one.name)}</strong></a><span>${statusOf(one)}, last changed ${one.updated_at.slice(0, 10)}</span></li>`;
  return htmlPage(
    frame(
      'Your ePortfolios',
      `${style}<h1>Your ePortfolios</h1><p class="lead">Collect your work, and share it.</p>${alert(wrong)}
${own.length === 0 ? '<p>You have no ePortfolios yet.</p>' : `<ul class="cards">${own.map(card).join('')}</ul>`}
${isBarred ? '<p class="wrong">A moderator has marked an ePortfolio of yours as spam. You cannot create another one until it is marked as safe.</p>' : createForm}
<p><a href="/profile/settings">Your account</a></p>`,
    ),
    { status: wrong === undefined ? 200 : 400 },
  );
};

export const missingPage = () =>
  htmlPage(
    frame(
      'Not found',
      '<h1>Not found</h1><p class="lead">There is no such ePortfolio, or its owner has not made it public.</p><p><a href="/eportfolios">Your ePortfolios</a></p>',
    ),
    { status: 404 },
  );
