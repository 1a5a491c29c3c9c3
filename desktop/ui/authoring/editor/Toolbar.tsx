// The buttons of the editor: one stop of the tab key, with arrow keys between them.

import { type Editor, useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type MessageKey, t } from '../../../language/texts.ts';
import { Icon, type IconName } from '../../parts/Icon.tsx';
import { stepOf } from '../../parts/steps.ts';
import { LinkDialog } from './LinkDialog.tsx';

interface Tool {
  readonly word: MessageKey;
  readonly icon?: IconName;
  readonly letter?: 'b' | 'i' | 'u';
  readonly run: (editor: Editor) => unknown;
  /** The mark or node that it sets; without one, it is no switch. */
  readonly sets?: string;
}

const on = (editor: Editor) => editor.chain().focus();

const tools: readonly (readonly Tool[])[] = [
  [
    { word: 'author.bold', letter: 'b', sets: 'bold', run: (editor) => on(editor).toggleBold().run() },
    { word: 'author.italic', letter: 'i', sets: 'italic', run: (editor) => on(editor).toggleItalic().run() },
    { word: 'author.underline', letter: 'u', sets: 'underline', run: (editor) => on(editor).toggleUnderline().run() },
  ],
  [
    { word: 'author.bullets', icon: 'contents', sets: 'bulletList', run: (editor) => on(editor).toggleBulletList().run() },
    { word: 'author.numbers', icon: 'numbers', sets: 'orderedList', run: (editor) => on(editor).toggleOrderedList().run() },
    { word: 'author.quote', icon: 'quote', sets: 'blockquote', run: (editor) => on(editor).toggleBlockquote().run() },
    { word: 'author.code', icon: 'code', sets: 'codeBlock', run: (editor) => on(editor).toggleCodeBlock().run() },
  ],
];

const ofTables: readonly Tool[] = [
  { word: 'author.addRow', icon: 'rowAdd', run: (editor) => on(editor).addRowAfter().run() },
  { word: 'author.addColumn', icon: 'columnAdd', run: (editor) => on(editor).addColumnAfter().run() },
  { word: 'author.deleteRow', icon: 'rowRemove', run: (editor) => on(editor).deleteRow().run() },
  { word: 'author.deleteColumn', icon: 'columnRemove', run: (editor) => on(editor).deleteColumn().run() },
  { word: 'author.deleteTable', icon: 'close', run: (editor) => on(editor).deleteTable().run() },
];

const history: readonly (Tool & { readonly can: 'undo' | 'redo' })[] = [
  { word: 'author.undo', icon: 'undo', can: 'undo', run: (editor) => on(editor).undo().run() },
  { word: 'author.redo', icon: 'redo', can: 'redo', run: (editor) => on(editor).redo().run() },
];

const levels = [2, 3, 4] as const;
type Level = (typeof levels)[number];

export function Toolbar({ editor, addImages, children }: { editor: Editor; addImages: (files: File[]) => void; children: ReactNode }) {
  const [isLinking, setLinking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      active: [...tools.flat().flatMap(({ sets }) => sets ?? []), 'link', 'table'].filter((name) => now.isActive(name)).join(),
      level: levels.find((level) => now.isActive('heading', { level })) ?? 0,
      undo: now.can().undo(),
      redo: now.can().redo(),
    }),
  });
  const active = new Set(state.active.split(','));
  const button = (tool: Tool & { readonly can?: 'undo' | 'redo' }) => (
    <button
      key={tool.word}
      type="button"
      className="quiet icon-only"
      tabIndex={-1}
      aria-label={t(tool.word)}
      title={t(tool.word)}
      aria-pressed={tool.sets ? active.has(tool.sets) : undefined}
      aria-disabled={tool.can ? !state[tool.can] : undefined}
      // The selection stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => tool.run(editor)}
    >
      {tool.icon ? <Icon name={tool.icon} /> : <Letter of={tool.letter ?? 'b'} />}
    </button>
  );
  const setLevel = (level: number) =>
    level === 0
      ? on(editor).setParagraph().run()
      : on(editor)
          .setHeading({ level: level as Level })
          .run();
  return (
    <div className="text-tools" role="toolbar" aria-label={t('author.tools')} onKeyDown={walk}>
      <select aria-label={t('author.style')} value={state.level} onChange={({ target }) => setLevel(Number(target.value))}>
        <option value={0}>{t('author.paragraph')}</option>
        {levels.map((level) => (
          <option key={level} value={level}>
            {t('author.heading', { level: level - 1 })}
          </option>
        ))}
      </select>
      {tools.map((group) => (
        <span key={group[0]?.word} className="tool-group">
          {group.map(button)}
        </span>
      ))}
      <span className="tool-group">
        {button({ word: 'author.link', icon: 'link', sets: 'link', run: () => setLinking(true) })}
        {button({ word: 'author.addImage', icon: 'image', run: () => chooser.current?.click() })}
        {button({
          word: 'author.table',
          icon: 'table',
          run: () => on(editor).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
        })}
      </span>
      {active.has('table') && <span className="tool-group">{ofTables.map(button)}</span>}
      <span className="tool-group">{history.map(button)}</span>
      <span className="spring" />
      {children}
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={t('author.addImage')}
        onChange={({ target }) => {
          addImages([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}

const Letter = ({ of }: { of: 'b' | 'i' | 'u' }) => {
  const Tag = of;
  return (
    <span aria-hidden="true" className="tool-letter">
      <Tag>{of.toUpperCase()}</Tag>
    </span>
  );
};

/** The first control is the stop of the tab key; arrow keys reach the others. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const by = stepOf(event.key);
  const target = event.target as HTMLElement;
  if (by === undefined || target.closest('dialog')) return;
  // Up and down choose in the list of styles.
  if (target.tagName === 'SELECT' && /Up|Down/.test(event.key)) return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('select, button')].filter((one) => !one.closest('dialog'));
  const at = controls.indexOf(target);
  if (at === -1) return;
  event.preventDefault();
  controls[(at + by + controls.length) % controls.length]?.focus();
}
