// SIS imports: uploads a file, shows progress and errors.

import { getJson, sendRequest } from './api';
import { type Child, h } from './dom';
import {
  amount,
  blank,
  button,
  type ConsoleTone,
  confirmed,
  errorText,
  factList,
  field,
  form,
  listing,
  notifyChanged,
  part,
  pause,
  sentenceCase,
  showStatus,
  tag,
  timeElement,
} from './parts';
import { type ScreenContext, screenHref } from './place';

interface Import {
  readonly id: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly workflow_state: string;
  readonly progress: number;
  readonly data: { readonly supplied_batches: readonly string[]; readonly counts: Readonly<Record<string, number>> };
  readonly batch_mode: boolean | null;
  readonly diffing_data_set_identifier: string | null;
  readonly csv_attachments: readonly { readonly display_name: string }[];
  readonly errors_attachment?: { readonly url: string };
  readonly user?: { readonly name: string };
}

interface Message {
  readonly file: string;
  readonly message: string;
  readonly row?: number;
  readonly row_info?: string;
}

const open = new Set(['initializing', 'created', 'importing', 'cleanup_batch', 'restoring']);
const states: Readonly<Record<string, readonly [string, ConsoleTone]>> = {
  initializing: ['Beginning', 'busy'],
  created: ['Waiting', 'busy'],
  importing: ['Importing', 'busy'],
  cleanup_batch: ['Removing missing items', 'busy'],
  restoring: ['Restoring', 'busy'],
  imported: ['Imported', 'good'],
  imported_with_messages: ['Imported with messages', 'busy'],
  failed: ['Failed', 'bad'],
  failed_with_messages: ['Failed with messages', 'bad'],
  aborted: ['Aborted', 'still'],
};
const stateTag = (state: string) => {
  const [words, tone] = states[state] ?? [sentenceCase(state), 'still'];
  return tag(words, tone);
};

async function upload(place: ScreenContext): Promise<Child> {
  const { account, signal } = place;
  const { enrollment_terms: terms } = await getJson<{ enrollment_terms: readonly { id: number; name: string }[] }>(
    `/accounts/${account.id}/terms?per_page=100`,
    signal,
  ).catch(() => ({ enrollment_terms: [] }));
  return form(
    [
      field({
        name: 'attachment',
        label: 'File',
        type: 'file',
        required: true,
        hint: 'One CSV file, or a zip of several: users, courses, sections, enrollments …',
        more: { accept: '.csv,.zip,text/csv,application/zip' },
      }),
      h(
        'details',
        {},
        h('summary', {}, 'More'),
        field({
          name: 'batch_mode_term_id',
          label: 'Full update of a term',
          options: [['', 'No, only add and change'], ...terms.map(({ id, name }) => [String(id), name] as const)],
          hint: 'Courses, sections and enrollments of the term that are not in the file are removed.',
        }),
        field({
          name: 'change_threshold',
          label: 'Maximum percentage of items to remove',
          hint: 'Protects against truncated files.',
          more: { inputmode: 'numeric', pattern: '[0-9]+' },
        }),
        field({ name: 'override_sis_stickiness', label: 'Overwrite changes made by hand', type: 'checkbox' }),
        field({
          name: 'diffing_data_set_identifier',
          label: 'Data set to compare with',
          hint: 'Only rows that differ from the last import of this data set are processed. Use the same name each time.',
        }),
      ),
    ],
    'Import',
    async (_, data) => {
      for (const [name, value] of [...data]) if (value === '') data.delete(name);
      if (data.has('batch_mode_term_id')) data.set('batch_mode', 'true');
      // Options come before the file, because the server processes the file while receiving it.
      const file = data.get('attachment') as File;
      data.delete('attachment');
      data.append('import_type', 'instructure_csv');
      data.append('attachment', file);
      const made = await sendRequest<Import>('POST', `/accounts/${account.id}/sis_imports`, data);
      showStatus('File uploaded. The import has started.');
      location.hash = screenHref(account.id, 'imports', made.id);
    },
  );
}

export async function imports(place: ScreenContext): Promise<Child> {
  const { account, signal, rights } = place;
  return [
    rights.import_sis && part('Import a file', () => upload(place)),
    part('Previous imports', () =>
      listing<Import>(`/accounts/${account.id}/sis_imports?per_page=20`, {
        label: 'Imports',
        heads: ['Import', 'State', 'Done', 'Files', 'By', 'When'],
        within: 'sis_imports',
        row: (one) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('a', { href: screenHref(account.id, 'imports', one.id) }, `Import ${one.id}`)),
            h('td', {}, stateTag(one.workflow_state)),
            h('td', { class: 'number' }, `${one.progress} %`),
            h(
              'td',
              {},
              one.data.supplied_batches.map(sentenceCase).join(', ') ||
                one.csv_attachments.map(({ display_name }) => display_name).join(', '),
            ),
            h('td', {}, one.user?.name),
            h('td', {}, timeElement(one.created_at)),
          ),
        empty: () => blank('No imports yet', 'Upload a CSV file from your student information system above.'),
        signal,
      }),
    ),
  ];
}

export async function oneImport(place: ScreenContext): Promise<Child> {
  const { account, rest, signal, entitle } = place;
  const at = `/accounts/${account.id}/sis_imports/${rest[0]}`;
  let seen = await getJson<Import>(at, signal);
  entitle(`Import ${seen.id}`);
  const bar = h('progress', { max: 100, 'aria-label': 'Import progress' });
  const share = h('span', { class: 'number' });
  const state = h('span');
  const spoken = h('p', { class: 'unseen', role: 'status' });
  const shown = h('div');
  const stop = h('div', { class: 'row' });
  const errors = part('Log', () =>
    listing<Message>(`${at}/errors?per_page=50`, {
      label: 'Messages',
      within: 'sis_import_errors',
      heads: ['File', 'Row', 'Message'],
      row: ({ file, row, message, row_info }) =>
        h(
          'tr',
          {},
          h('td', {}, file),
          h('td', { class: 'number' }, row),
          h('th', { scope: 'row' }, message, row_info && h('p', { class: 'hint code' }, row_info)),
        ),
      empty: () =>
        open.has(seen.workflow_state)
          ? blank('No messages so far', 'Rejected rows appear here.')
          : blank('No messages', 'All rows were imported.'),
      signal,
    }),
  );
  function show(): void {
    bar.value = seen.progress;
    share.textContent = `${seen.progress} %`;
    state.replaceChildren(stateTag(seen.workflow_state));
    const counts = Object.entries(seen.data.counts).filter(([, count]) => count > 0);
    shown.replaceChildren(
      factList(
        ['Files', seen.data.supplied_batches.map(sentenceCase).join(', ')],
        ['Sent', timeElement(seen.created_at)],
        ['By', seen.user?.name],
        ['Started', seen.started_at && timeElement(seen.started_at)],
        ['Ended', seen.ended_at && timeElement(seen.ended_at)],
        ...(seen.diffing_data_set_identifier ? [['Compared with', seen.diffing_data_set_identifier] as const] : []),
        ...(seen.batch_mode ? [['Full update of a term', 'Yes'] as const] : []),
        ...counts.map(([name, count]) => [sentenceCase(name), h('strong', { class: 'number' }, amount(count))] as const),
      ),
    );
    stop.replaceChildren();
    if (open.has(seen.workflow_state))
      stop.append(
        button(
          'Abort',
          () =>
            confirmed('Abort this import?', 'Rows that are already imported stay.', 'Abort', async () => {
              seen = await sendRequest<Import>('PUT', `${at}/abort`);
              show();
            }),
          { kind: 'plain danger' },
        ),
      );
    else if (seen.errors_attachment) stop.append(h('a', { class: 'button', href: seen.errors_attachment.url }, 'Download all messages'));
  }
  async function follow(): Promise<void> {
    while (open.has(seen.workflow_state) && !signal.aborted) {
      await pause(1000);
      const before = seen;
      try {
        seen = await getJson<Import>(at, signal);
      } catch (error) {
        if (signal.aborted) return;
        spoken.textContent = errorText(error);
        await pause(4000);
        continue;
      }
      show();
      if (before.progress !== seen.progress || before.workflow_state !== seen.workflow_state) notifyChanged(errors);
    }
    if (!signal.aborted) spoken.textContent = `The import has ended: ${states[seen.workflow_state]?.[0] ?? seen.workflow_state}`;
  }
  show();
  if (open.has(seen.workflow_state)) void follow();
  return [
    h('p', { class: 'back' }, h('a', { href: screenHref(account.id, 'imports') }, '← Imports')),
    h('div', { class: 'far' }, state, bar, share),
    spoken,
    shown,
    stop,
    errors,
  ];
}
