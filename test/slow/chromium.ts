import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'

// The headless shell is first: it draws no windows and opens a page in half the time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return (
    process.env['KEN_CHROMIUM'] ??
    folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
  )
}

/** Undefined if Chromium is installed; otherwise how to install it. On Debian: apt-get install chromium. */
export function chromiumMissing(): string | undefined {
  return findChromium() === undefined
    ? 'no chromium on the PATH: install one, or name it with KEN_CHROMIUM, to run this suite'
    : undefined
}

/** The system's Chromium. Its sandbox refuses to run as root. */
export const launchChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium()!,
    args: [...(userInfo().uid === 0 ? ['--no-sandbox'] : []), ...more],
  })

/** The part of a browser that a suite needs. */
export type OwnBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

let shared: Promise<Browser> | undefined

/**
 * The browser that all suites of a worker share. Each suite has separate contexts, which do not share cookies and
 * pages; closing the browser closes only those.
 */
export async function openBrowser(): Promise<OwnBrowser> {
  const browser = await (shared ??= launchChromium())
  const contexts: BrowserContext[] = []
  const newContext: OwnBrowser['newContext'] = async (options) => {
    contexts.push(await browser.newContext(options))
    return contexts.at(-1)!
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}
