// The rich text editor of pages and assignments.

import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../language/texts.ts';
import { host } from '../../host.ts';
import { complain } from '../../parts/Toast.tsx';
import { editorContent, htmlOfDocument, writtenBlocks } from './html.ts';
import { ImageDialog } from './ImageDialog.tsx';
import { editorExtensions } from './schema.ts';
import { Toolbar } from './Toolbar.tsx';
import type { TextGiven } from './text_given.ts';
import { imageView, keptView } from './views.ts';

const isImage = (file: File) => /^image\/(png|jpeg|gif|webp)$/.test(file.type);
const imagesIn = (data: DataTransfer | null) => [...(data?.files ?? [])].filter(isImage);

export function RichEditor({ html, label, images, change, keepImage, children }: TextGiven & { children: ReactNode }) {
  const latest = useRef({ change, images });
  latest.current = { change, images };
  const [pending, setPending] = useState<readonly File[]>([]);
  const addImages = useRef(setPending);
  const extensions = useMemo(() => editorExtensions({ image: imageView((address) => latest.current.images[address]), kept: keptView }), []);
  const [written] = useState(() => writtenBlocks(html));
  /** What the editor was given or has returned last. */
  const known = useRef(html);
  const editor = useEditor({
    extensions,
    content: editorContent(html),
    // Styles come from the desk's own sheet: its policy allows no others.
    injectCSS: false,
    editorProps: {
      attributes: {
        'aria-label': label,
        role: 'textbox',
        'aria-multiline': 'true',
        class: 'rich words',
        spellcheck: 'true',
        'aria-describedby': 'rich-how',
      },
      // Tab belongs to lists and tables, so Escape is the way out.
      handleKeyDown: (view, { key }) => {
        if (key !== 'Escape') return false;
        view.dom.closest('.text-field')?.querySelector('select')?.focus();
        return true;
      },
      handleDrop: (_, event) => takeImages(imagesIn(event.dataTransfer)),
      handlePaste: (_, event) => takeImages(imagesIn(event.clipboardData)),
      transformPastedHTML: (pasted) => pasted.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, ''),
    },
    onUpdate: ({ editor: changed }) => {
      known.current = htmlOfDocument(changed.state.doc, written);
      latest.current.change(known.current);
    },
  });
  function takeImages(files: readonly File[]): boolean {
    if (files.length === 0) return false;
    addImages.current((before) => [...before, ...files]);
    return true;
  }
  useEffect(() => {
    // The draft was changed in another window, or discarded.
    if (!editor || html === known.current) return;
    known.current = html;
    editor.commands.setContent(editorContent(html), { emitUpdate: false });
  }, [editor, html]);
  const [next] = pending;
  const insert = async (file: File, alt: string) => {
    try {
      const kept = await host.attachToLetter(file);
      keepImage(kept);
      editor
        ?.chain()
        .focus()
        .insertContent({ type: 'image', attrs: { src: `unsent:${kept.sha256}`, alt } })
        .run();
    } catch (reason) {
      complain(reason);
    }
  };
  return (
    <>
      {editor && (
        <Toolbar editor={editor as Editor} addImages={(files) => void takeImages(files.filter(isImage))}>
          {children}
        </Toolbar>
      )}
      <EditorContent editor={editor} className="rich-frame" />
      {next && (
        <ImageDialog
          key={`${next.name}-${pending.length}`}
          name={next.name}
          onClose={() => setPending((before) => before.slice(1))}
          insert={(alt) => {
            setPending((before) => before.slice(1));
            void insert(next, alt);
          }}
        />
      )}
      <p className="sr-only" id="rich-how">
        {t('author.editorHow')}
      </p>
    </>
  );
}
