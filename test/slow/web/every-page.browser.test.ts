import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../../daily-sample.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

/** Pages of a folder that Ken has never seen. */
const EMPTY_PAGES = ['', 'inbox', 'news', 'ask', 'decisions', 'memory', 'context', 'stories', 'tests', 'settings']

/** Every page, and its visually different states. */
const PAGES = [
  '',
  'inbox',
  'news',
  'ask',
  'decisions',
  'decisions/D27',
  'decisions?view=timeline',
  'decisions?view=graph',
  'decisions?view=questions',
  'decisions/new',
  'memory',
  'memory?q=slots',
  'memory/notes',
  'memory/about-me',
  'context',
  'context/sources',
  'context/config',
  'context/rules',
  'stories',
  'stories/revenue',
  'tests',
  'settings',
]

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

const EACH = (['demo', 'empty'] as const).flatMap((project) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (project === 'demo' ? PAGES : EMPTY_PAGES).map((path) => ({ project, theme, path })),
  ),
)
const TODAY = dailySample('pages', EACH, 24)

describe.skipIf(missing).each(['demo', 'empty'] as const)('every page of a project that is %s', (project) => {
  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    let desk: AppDesk
    beforeAll(async () => {
      // Only the app is reachable: it must work without anything else.
      desk = await openAppDesk({ project, theme, hasModel: project === 'demo', isOffline: true })
    })
    afterAll(() => desk?.close())

    test.each(TODAY.filter((one) => one.project === project && one.theme === theme).map(({ path }) => path))(
      '/%s has no axe violations, in two widths, and requests nothing from other hosts',
      async (path) => {
        for (const screen of SCREENS) {
          await desk.page.setViewportSize(screen)
          await desk.goto(path)
          const told = { path, width: screen.width }
          expect({ ...told, faults: await desk.axe() }).toEqual({ ...told, faults: [] })
          expect({ ...told, problems: desk.problems() }).toEqual({ ...told, problems: [] })
          expect({ ...told, headings: await headings(desk) }).toEqual({ ...told, headings: 1 })
          expect({ ...told, overflow: await overflow(desk) }).toEqual({ ...told, overflow: 0 })
        }
      },
    )
  })
})

/** Counts visible headings: if there is room for only one pane, the other is hidden with its heading. */
const headings = (desk: AppDesk): Promise<number> => desk.page.getByRole('heading', { level: 1 }).count()

/** Pixels by which the page is wider than the window: it should never scroll sideways. */
const overflow = (desk: AppDesk): Promise<number> =>
  desk.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
