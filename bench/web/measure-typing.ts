import type { AppDesk } from '../../test/slow/web/app-desk.ts'

export interface Typing {
  readonly what: string
  readonly p50: number
  readonly p95: number
  /** The same queries sent to the operation directly, without a page. */
  readonly direct: number
}

const WORDS = [
  'queue',
  'postgres',
  'retry',
  'payment',
  'orders',
  'cache',
  'index',
  'refund',
  'revenue',
  'session',
  'deploy',
  'email',
  'search',
  'schema',
  'worker',
  'customer',
  'migration',
  'timeout',
  'backup',
  'currency',
]

/** Types all but the last letter of a word, then the last one, and measures the time until new hits are shown. */
export async function measureTyping(desk: AppDesk): Promise<Typing[]> {
  const found: Typing[] = []
  for (const { what, path, label, operation } of [
    {
      what: 'search in Memory',
      path: 'memory',
      label: 'Search sessions, notes, decisions, documents and code',
      operation: 'memory_browse',
    },
    { what: 'check in Decisions', path: 'decisions', label: undefined, operation: 'check_decision' },
  ]) {
    await desk.goto(path)
    const field = label === undefined ? desk.page.getByRole('combobox').first() : desk.page.getByLabel(label)
    const [times, alone]: [number[], number[]] = [[], []]
    for (const word of WORDS) {
      await field.fill(word.slice(0, -1))
      await desk.page.waitForLoadState('networkidle')
      const answered = desk.page.waitForResponse((response) => response.url().includes(`/v1/${operation}`))
      const started = performance.now()
      await field.press('End')
      await field.pressSequentially(word.slice(-1))
      const response = await answered
      await desk.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      times.push(performance.now() - started)
      const { requestStart, responseEnd } = response.request().timing()
      alone.push(responseEnd - requestStart)
    }
    found.push({ what, p50: share(times, 0.5), p95: share(times, 0.95), direct: share(alone, 0.5) })
  }
  return found
}

const share = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!
