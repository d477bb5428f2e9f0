import styles from './icon.module.css'

export type IconName = keyof typeof LINES

/** A line icon of the app's icon set. Decorative: a word beside it or a label has its meaning. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg className={styles.icon} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
    <path d={LINES[name]} />
  </svg>
)

// Drawn on a grid of 16 with a line width of 1.4; dots are lines of zero length.
const LINES = {
  agent: 'M4 5.5h8v6.5h-8zM8 5.5V3M6.3 8.3v1M9.7 8.3v1M1.8 8v2M14.2 8v2M7.5 2.7h1',
  archive: 'M2.5 3.5h11v3h-11zM3.5 6.5v6.5h9V6.5M6.5 9h3',
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-left': 'M13 8H3M7 4 3 8l4 4',
  'arrow-right': 'M3 8h10M9 4l4 4-4 4',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  ask: 'M2.5 3.5h11v7.5H8l-3.5 2.8V11h-2z',
  attach: 'M12.5 7.5 7.8 12.2a2.6 2.6 0 0 1-3.7-3.7l5-5a1.7 1.7 0 0 1 2.4 2.4l-4.8 4.8a.7.7 0 0 1-1-1l4-4',
  bad: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6 6l4 4M10 6l-4 4',
  branch: 'M4.5 2.5v11M4.5 10.5c0-3 7-1.5 7-5M11.5 5.5v-.1M10 4a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0z',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3',
  chart: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V5M11.5 11V7',
  check: 'M3 8.5 6.5 12 13 4.5',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-left': 'M10 4 6 8l4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  'chevron-up': 'M4 10l4-4 4 4',
  'chevrons-up-down': 'M5 6l3-3 3 3M5 10l3 3 3-3',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.8V8l2.2 1.6',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  collapse: 'M4 6.5 8 10l4-3.5M3 13h10M3 3h10',
  compare: 'M6.5 3h-4v10h4M9.5 3h4v10h-4M8 1.5v13',
  context:
    'M3 4c0-1 2.2-1.8 5-1.8S13 3 13 4s-2.2 1.8-5 1.8S3 5 3 4zM3 4v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  decisions: 'M8 13.5V8.5M8 8.5 4 4.5M8 8.5l4-4M4 7.5v-3h3M9 4.5h3v3',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  edit: 'M3 13l.7-2.8 7.3-7.3 2.1 2.1-7.3 7.3zM9.5 4.4l2.1 2.1',
  expand: 'M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM6.2 8a1.8 1.8 0 1 1 3.6 0 1.8 1.8 0 0 1-3.6 0z',
  file: 'M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  folder: 'M2 4h4.2l1.5 1.8H14v7.2H2z',
  graph:
    'M3 4.5a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0zM10 7.5a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0zM4.5 12a1.5 1.5 0 1 1 3 0 1.5 1.5 0 0 1-3 0zM6 5.2l4 1.7M7.2 11l3-2.5M4.8 6l1 4.5',
  grip: 'M6 4v0M10 4v0M6 8v0M10 8v0M6 12v0M10 12v0',
  home: 'M2.5 7.5 8 2.8l5.5 4.7M4 6.5v7h8v-7M6.8 13.5V9.8h2.4v3.7',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 3 3 1.8-1.8L13.5 11M10.3 6v0',
  inbox: 'M2.5 9 4.5 3h7l2 6v4.5h-11zM2.5 9H6a2 2 0 0 0 4 0h3.5',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.5v3.5M8 5v0',
  key: 'M9.5 6.5a3 3 0 1 1 .9 2.1L6 13H3.5v-2.5l.9-.9M11.5 5.5v0M6.5 10.5l1 1',
  link: 'M6.7 9.3a2.4 2.4 0 0 0 3.4 0l2.6-2.6a2.4 2.4 0 0 0-3.4-3.4L8.2 4.4M9.3 6.7a2.4 2.4 0 0 0-3.4 0L3.3 9.3a2.4 2.4 0 0 0 3.4 3.4l1.1-1.1',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4v0M2.8 8v0M2.8 12v0',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  memory: 'M2.6 9.6A5.6 5.6 0 1 0 3.4 5M3 2.5V5.3h2.8M8 5v3.2l2.2 1.3',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  minus: 'M3.5 8h9',
  monitor: 'M2 3h12v8.5H2zM6 14h4M8 11.5V14',
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z',
  more: 'M3.5 8v0M8 8v0M12.5 8v0',
  'panel-left': 'M2 3h12v10H2zM6 3v10',
  'panel-right': 'M2 3h12v10H2zM10 3v10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l8 5-8 5z',
  plus: 'M8 3.5v9M3.5 8h9',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  question: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.2 6.5a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.3M8 11.4v0',
  quote: 'M3 11c2 0 3-1.5 3-4V4.5H3V8h2M9.5 11c2 0 3-1.5 3-4V4.5h-3V8h2',
  refresh: 'M13 6.5A5.3 5.3 0 0 0 3.3 5.8M3 9.5a5.3 5.3 0 0 0 9.7.7M13.2 3v3.5H9.7M2.8 13V9.5h3.5',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.4 10.4 14 14',
  send: 'M8 13V3.5M4 7.3 8 3.3l4 4',
  settings:
    'M2.5 5h6M12.5 5h1M2.5 11h1M7.5 11h6M8.5 5a2 2 0 1 1 4 0 2 2 0 0 1-4 0zM3.5 11a2 2 0 1 1 4 0 2 2 0 0 1-4 0z',
  sort: 'M5 3v10M2.5 10.5 5 13l2.5-2.5M11 13V3M8.5 5.5 11 3l2.5 2.5',
  split: 'M2 3h12v10H2zM8 3v10',
  star: 'M8 2.3l1.7 3.7 4 .4-3 2.7.9 4L8 11l-3.6 2.1.9-4-3-2.7 4-.4z',
  stop: 'M4 4h8v8H4z',
  stories: 'M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  table: 'M2 3h12v10H2zM2 6.3h12M2 9.6h12M6.5 6.3V13',
  tag: 'M2.5 2.5h5.3l5.7 5.7-5.3 5.3-5.7-5.7zM5.3 5.3v0',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10h3',
  tests: 'M2.5 4.5 4 6l2.5-3M2.5 11 4 12.5l2.5-3M9 4.5h5M9 11h5',
  'thumb-down':
    'M5 9V3h6.3c.7 0 1.2.4 1.4 1l.9 3.5c.2.9-.4 1.6-1.3 1.6H9.5l.6 2.7c.2.9-.4 1.7-1.3 1.7L5 9zM5 9H2.5V3H5',
  'thumb-up':
    'M5 7v6h6.3c.7 0 1.2-.4 1.4-1l.9-3.5c.2-.9-.4-1.6-1.3-1.6H9.5l.6-2.7c.2-.9-.4-1.7-1.3-1.7L5 7zM5 7H2.5v6H5',
  timeline: 'M4 2v12M4 4.5h4.5M4 8h8M4 11.5h6',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4M6.7 6.7v4M9.3 6.7v4',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M6 3.5l-3 3 3 3',
  upload: 'M8 10.5v-8M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
  user: 'M5.3 5.2a2.7 2.7 0 1 1 5.4 0 2.7 2.7 0 0 1-5.4 0zM2.8 13.5c.5-2.7 2.5-4 5.2-4s4.7 1.3 5.2 4',
  warn: 'M8 2.5 14.3 13H1.7zM8 6.5v3M8 11.3v0',
} as const satisfies Record<string, string>
