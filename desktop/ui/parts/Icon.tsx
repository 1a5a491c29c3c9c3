// Carrel's own icons, drawn on a 24-unit grid.

const paths = {
  today: 'M5 5h14v15H5zM5 10h14M9 3v4M15 3v4M9 15l2 2 4-4',
  courses: 'M5 4h4v16H5zM9 6h4v14H9zM14.2 6.6l3.8-1 3.3 13.3-3.8 1z',
  files: 'M4 6h6l2 2.5h8V19H4z',
  announcements: 'M4 10v4h3l7 4V6l-7 4zM17.5 9a4.5 4.5 0 0 1 0 6',
  sync: 'M19 8a8 8 0 0 0-14.5 2M4 5v5h5M5 16a8 8 0 0 0 14.5-2M20 19v-5h-5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14 6l-6 6 6 6',
  forward: 'M10 6l6 6-6 6',
  open: 'M13 5h6v6M19 5l-8 8M17 14v5H5V7h5',
  folder: 'M4 6h6l2 2.5h8V19H4z',
  page: 'M6 3.5h8l4 4V20.5H6zM14 3.5v4h4M9 12h6M9 16h6',
  assignment: 'M6 4h12v17H6zM9 2.8h6v3H9zM9 11h6M9 15h4',
  discussion: 'M4 5h16v11h-9l-4 4v-4H4z',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5M8.5 8.5h7M8.5 12h4',
  event: 'M5 5h14v15H5zM5 10h14M9 3v4M15 3v4',
  eventAdd: 'M13 20H5V5h14v8M5 10h14M9 3v4M15 3v4M18 15.5v6M15 18.5h6',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.5v.5',
  quiz: 'M5 4h14v16H5zM9.5 9a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16v.5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2',
  hourglass: 'M7 4h10M7 20h10M8 4v3.5l4 4.5 4-4.5V4M8 20v-3.5l4-4.5 4 4.5V20',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v2.5M12 19v2.5M2.5 12h2.5M19 12h2.5M5.3 5.3l1.7 1.7M17 17l1.7 1.7M5.3 18.7L7 17M17 7l1.7-1.7',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  halfmoon: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16z',
  keys: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 15h8',
  leave: 'M13 4H5v16h8M10 12h10M16.5 8.5L20 12l-3.5 3.5',
  clip: 'M8 12.5l6.2-6.2a3 3 0 0 1 4.3 4.3l-8 8a5 5 0 0 1-7-7L11 4',
  reply: 'M10 6L4 12l6 6M4.5 12H14a6 6 0 0 1 6 6',
  history: 'M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2',
  compare: 'M12 3v18M9.5 6H4v12h5.5M14.5 6H20v12h-5.5M6.3 10.5h3.2M6.3 13.5h3.2',
  inbox: 'M4 5h16v14H4zM4 13h5l1.5 2.5h3L15 13h5',
  grades: 'M5 20V10M12 20V4M19 20v-7M3.5 20h17',
  star: 'M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 12.5h4',
  people: 'M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M3.5 19a5.5 5.5 0 0 1 11 0M16 6a2.6 2.6 0 0 1 0 5M16.5 13.6a5 5 0 0 1 4 5',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  marker: 'M4 20h6M8 16l8-11 4 3-8 11H8z',
  settings: 'M4 7h10M18 7h2M4 12h3M11 12h9M4 17h9M17 17h3M14 5v4M7 10v4M13 15v4',
  larger: 'M3 19l5-13 5 13M5 14.5h6M18 9v7M14.5 12.5h7',
  contents: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  width: 'M3 5v14M21 5v14M7 12h10M9.5 9L7 12l2.5 3M14.5 9l2.5 3-2.5 3',
  rotate: 'M19 12a7 7 0 1 1-2.5-5.4M19 3.5v4.5h-4.5',
  dot: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 10.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M12 12h.01',
  missing: 'M12 3.5l8.5 8.5-8.5 8.5L3.5 12z',
  hidden:
    'M4 4l16 16M9.5 5.6A10 10 0 0 1 12 5.3c5 0 8.5 4 9.5 6.7a12 12 0 0 1-2.6 3.9M6.3 7.7A12.5 12.5 0 0 0 2.5 12c1 2.700 4.500 6.7 9.5 6.7a10 10 0 0 0 4-.8M10 10a2.8 2.8 0 0 0 4 4',
  more: 'M4.5 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M11.1 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M17.7 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0',
  pencil: 'M4 20l1-4.5L15.5 5 19 8.5 8.5 19zM13 7.5l3.5 3.5',
  numbers:
    'M10 6h10M10 12h10M10 18h10M4 4.5l1.5-.7v4.7M3.8 10.7c.6-1 2.7-.9 2.7 .5 0 1.2-2.7 1.3-2.7 2.8h2.7M3.9 16.3h2.6l-1.6 1.5c2.4 0 2.2 2.6-.1 2.6-.5 0-.9-.2-1.1-.5',
  quote: 'M5 17c3-1 4-3.5 4-6.5V7H4.5v5H8M14.5 17c3-1 4-3.5 4-6.5V7H14v5h3.5',
  code: 'M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5M13.5 5l-3 14',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 8.5h.01',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  rowAdd: 'M4 4h16v8H4zM12 15v6M9 18h6',
  rowRemove: 'M4 4h16v8H4zM9 18h6',
  columnAdd: 'M4 4h8v16H4zM18 9v6M15 12h6',
  columnRemove: 'M4 4h8v16H4zM15 12h6',
  undo: 'M8 5L4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9',
  redo: 'M16 5l4 4-4 4M19.5 9H10a5.5 5.5 0 0 0 0 11h5',
  smaller: 'M3 19l5-13 5 13M5 14.5h6M14.5 12.5h7',
} as const;

export type IconName = keyof typeof paths;

/** Icons with a direction are mirrored in right-to-left languages. */
const flips: ReadonlySet<IconName> = new Set(['back', 'forward', 'open', 'reply', 'leave', 'discussion']);

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false" data-flips={flips.has(name) || undefined}>
    <path d={paths[name]} />
  </svg>
);
