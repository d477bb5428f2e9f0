/**
 * Screenshots of every page of the app on the example project, in both themes and at two widths: `npm run shots:web`
 * writes those of the guides to docs/images. `-- --out <folder> --widths 1440,1024,720,390 --only ask,run` for review,
 * `--only all` for every view.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openAppDesk, type AppDesk } from '../test/slow/web/app-desk.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: resolve(import.meta.dirname, '../docs/images') },
    widths: { type: 'string', default: '1440,390' },
    only: { type: 'string' },
    format: { type: 'string', default: 'webp' },
  },
})

type Where = (desk: AppDesk) => Promise<string>

/** The most informative view of each page. */
const PAGES: Readonly<Record<string, Where>> = {
  home: async () => '',
  ask: async (desk) => `ask/${await chatAbout(desk, 'revenue')}`,
  decisions: async () => 'decisions/D14',
  graph: async () => 'decisions?view=graph',
  memory: async () => 'memory?q=slots',
  context: async () => 'context/table/shop/main.orders',
  stories: async (desk) => `stories/${(await desk.run('stories_list')).stories[0].slug}`,
  tests: async () => 'tests',
  settings: async () => 'settings',
}

/** Other views that look different, for review. */
const MORE: Readonly<Record<string, Where>> = {
  inbox: async () => 'inbox',
  news: async () => 'news',
  'new-chat': async () => 'ask',
  'decision-list': async () => 'decisions',
  timeline: async () => 'decisions?view=timeline',
  questions: async () => 'decisions?view=questions',
  compare: async () => 'decisions/compare?a=D16&b=D19',
  propose: async () => 'decisions/new',
  newest: async () => 'memory',
  session: async (desk) =>
    `memory/doc/${(await desk.run('memory_query', { query: 'slots', origin: ['session'] })).results[0].id}`,
  notes: async () => 'memory/notes',
  'about-me': async () => 'memory/about-me',
  overview: async () => 'context',
  sources: async () => 'context/sources',
  config: async () => 'context/config',
  rules: async () => 'context/rules',
  versions: async () => 'stories/revenue?view=versions',
  run: async (desk) => `tests/run/${(await desk.run('test_runs')).runs[0].id}`,
  clients: async () => 'settings/clients',
  collections: async () => 'settings/collections',
  storage: async () => 'settings/storage',
  privacy: async () => 'settings/privacy',
  tokens: async () => 'settings/tokens',
  appearance: async () => 'settings/appearance',
  'all-settings': async () => 'settings/all',
}
const ALL = { ...PAGES, ...MORE }

const names = values.only === 'all' ? Object.keys(ALL) : (values.only?.split(',') ?? Object.keys(PAGES))
mkdirSync(values.out, { recursive: true })
const desk = await openAppDesk()
let bytes = 0
for (const width of values.widths.split(',').map(Number))
  for (const theme of ['light', 'dark'] as const) {
    await desk.page.setViewportSize({ width, height: width < 700 ? 844 : 900 })
    await desk.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    for (const name of names) {
      await desk.goto(await ALL[name]!(desk))
      const path = join(values.out, `${name}-${theme}-${nameOf(width)}.${values.format}`)
      await shoot(path)
      bytes += statSync(path).size
    }
  }
await desk.close()
console.log(`${names.length} pages, ${Math.round(bytes / 1024)} KB, in ${values.out}`)

async function chatAbout(desk: AppDesk, word: string): Promise<string> {
  const { chats } = await desk.run('chats_list', { words: [word] })
  return chats[0].id
}

function nameOf(width: number): string {
  return ({ 1440: 'desktop', 390: 'phone' } as Record<number, string>)[width] ?? String(width)
}

/** Uses the devtools protocol: only it writes WebP, a third of the size of a PNG. */
async function shoot(path: string): Promise<void> {
  const session = await desk.page.context().newCDPSession(desk.page)
  const { data } = await session.send(
    'Page.captureScreenshot',
    values.format === 'png' ? { format: 'png' } : { format: 'webp', quality: 82 },
  )
  writeFileSync(path, Buffer.from(data, 'base64'))
  await session.detach()
}
