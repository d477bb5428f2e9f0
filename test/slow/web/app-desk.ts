import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AxeResults } from 'axe-core'
import type { Page, Request } from 'playwright-core'
import { makeDemo } from '../../../src/app/demo/make-demo.ts'
import { demoEnvironment } from '../../../src/app/demo/serve-demo.ts'
import { openKen } from '../../../src/app/open.ts'
import { call } from '../../../src/operations/call.ts'
import { REGISTRY } from '../../../src/operations/registry.ts'
import type { Store } from '../../../src/record/ports/store.ts'
import { takeImage } from '../../folder-image.ts'
import { KEN } from '../../ken-program.ts'
import { openScriptedModel, type Script, type ScriptedModel } from '../../scripted-model.ts'
import { openBrowser, type OwnBrowser } from '../chromium.ts'
import { enlargePlace } from './enlarge-place.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A real `ken app` on a real folder, and a real browser signed in by the one-time link. */
export interface AppDesk {
  readonly folder: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly page: Page
  /** Address of the app, without a trailing slash. */
  readonly url: string
  /** URL path of the project, with a trailing slash: `/…`. */
  readonly project: string
  readonly model: ScriptedModel
  /** Opens a page of the project, e.g. `decisions` or `` for Home; waits until it has settled. */
  goto(path: string): Promise<void>
  /** The page's axe violations, one line each. */
  axe(): Promise<string[]>
  /** Errors, content security policy violations and requests to other hosts since the last call. */
  problems(): string[]
  /** The code that the app's terminal shows for the pending change of the page. */
  code(): Promise<string>
  /** Types that code into the page. */
  confirm(): Promise<void>
  /** Runs an operation as from a terminal, while the app runs. */
  run(name: string, input?: object): Promise<Record<string, any>>
  /** Stops the app and leaves its page open. */
  stop(): Promise<void>
  /** Starts it again; it keeps its sessions if its port was given. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

type Project = 'demo' | 'empty' | 'large'

export interface DeskOptions {
  /** `empty`: a folder without Ken; `large`: the example with some years of history. */
  readonly project?: Project
  readonly script?: Script
  /** If false, no model is set, as on first use. */
  readonly hasModel?: boolean
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly theme?: 'light' | 'dark'
  /** Any free port if not given, which Ken expects to be another one next time. */
  readonly port?: number
  /** The browser blocks every request that does not go to the app. */
  readonly isOffline?: boolean
}

/** Only one desk at a time per process: the folder is restored for each. */
export const openAppDesk = async (options: DeskOptions = {}): Promise<AppDesk> =>
  openAppAt(await placeOf(options.project ?? 'demo'), options)

/** Like `openAppDesk`, with the caller's folder and home. */
export async function openAppAt(
  place: Pick<AppDesk, 'folder' | 'home' | 'environment'>,
  options: DeskOptions = {},
): Promise<AppDesk> {
  const { script = [], hasModel = true, port = 0 } = options
  const model = await openScriptedModel(script)
  const environment = {
    ...place.environment,
    ...(hasModel && { KEN_MODEL: 'compatible:scripted', KEN_MODEL_URL: `${model.url}/v1` }),
  }
  const start = (port: string): ChildProcess =>
    spawn(process.execPath, [KEN, 'app', '--no-open', '--port', port], {
      cwd: place.folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let app = start(String(port))
  let browser: OwnBrowser | undefined
  const close = async (): Promise<void> => {
    await browser?.close()
    await ended(app)
    await model.close()
  }
  try {
    let nextCode = codesOf(app)
    const link = await linkOf(app)
    browser = await openBrowser()
    const { page, problems, settled } = await openPage(browser, new URL(link).origin, options)
    await page.goto(link)
    await page.waitForURL((address) => !address.href.includes('code='))
    await page.locator('h1').first().waitFor()
    const url = new URL(page.url()).origin
    const named = new URL(page.url()).pathname.split('/')[1] ?? ''
    return {
      ...place,
      environment,
      page,
      url,
      project: `/${named}`,
      model,
      async goto(path) {
        await settled(async () => {
          await page.goto(`${url}/${named}${path === '' ? '' : `/${path}`}`)
          // If there is room for only one pane, the heading may be hidden with the other pane.
          await page.locator('h1').first().waitFor({ state: 'attached' })
        })
      },
      axe: () => axeOn(page),
      code: () => nextCode(),
      async confirm() {
        const dialog = page.getByRole('dialog', { name: /^Confirm: / })
        await dialog.getByLabel('Code', { exact: true }).fill(await nextCode())
        await dialog.getByRole('button', { name: 'Confirm' }).click()
        await dialog.waitFor({ state: 'hidden' })
      },
      problems,
      run: (name, input = {}) => runAt(place.folder, environment, name, input),
      stop: () => ended(app),
      async startAgain() {
        await ended(app)
        app = start(new URL(url).port)
        nextCode = codesOf(app)
        await linkOf(app)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Place {
  readonly folder: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  putBack(): void
}

const places = new Map<string, Promise<Place>>()

/** Created once per process. Ken's home contains its paths, so it is restored in place and not copied. */
async function placeOf(project: Project): Promise<Place> {
  const known = places.get(project)
  if (known === undefined) places.set(project, makePlace(project))
  const place = await places.get(project)!
  if (known !== undefined) place.putBack()
  return place
}

async function makePlace(project: Project): Promise<Place> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), `ken-app-${project}-`)))
  process.once('exit', () => rmSync(outside, { recursive: true, force: true }))
  const [folder, home] = [join(outside, project === 'empty' ? 'fresh' : 'orchard'), join(outside, 'home')]
  mkdirSync(folder)
  mkdirSync(home)
  const environment = { ...demoEnvironment({ PATH: process.env['PATH'] ?? '' }, home), KEN_TELEMETRY: '0' }
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ken', '-c', 'user.email=ken@example.com', ...words], {
      cwd: folder,
      stdio: 'ignore',
    })
  git('init', '-b', 'main')
  if (project !== 'empty') {
    await makeDemo(folder, environment)
    if (project === 'large')
      await enlargePlace({ folder, home }, (name, input) => runAt(folder, environment, name, input))
    git('add', '-A')
    git('commit', '-m', 'Orchard')
  }
  return { folder, home, environment, putBack: takeImage(outside) }
}

export async function runAt(
  folder: string,
  environment: AppDesk['environment'],
  name: string,
  input: object,
): Promise<Record<string, any>> {
  const ken = openKen(environment, () => {})
  try {
    const operation = await REGISTRY.find((one) => one.name === name)!.load()
    return (await call(ken.context({ origin: { surface: 'cli' }, cwd: folder }), operation, input)).output
  } finally {
    await ken.close()
  }
}

/** Reads or changes the record itself, while the app runs. */
export async function withRecord<T>(
  { folder, environment }: Pick<AppDesk, 'folder' | 'environment'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const ken = openKen(environment, () => {})
  try {
    return await work(await ken.context({ origin: { surface: 'cli' }, cwd: folder }).record())
  } finally {
    await ken.close()
  }
}

const PATIENCE = 60_000

/** The one-time link, as printed. */
function linkOf(app: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((found, failed) => {
    const fail = (why: string): void => failed(new Error(`ken app ${why}:\n${said}`))
    const timer = setTimeout(() => fail('gave no link in a minute'), PATIENCE)
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const link = /http:\/\/127\.0\.0\.1:\d+\/\S*[?#]\S+/.exec(said)?.[0]
      if (link === undefined) return
      clearTimeout(timer)
      found(link)
    }
    app.stdout!.on('data', hear)
    app.stderr!.on('data', hear)
    app.once('exit', (code) => fail(`ended with ${code}`))
  })
}

/** Returns the newest code that the app's terminal shows, each once. */
function codesOf(app: ChildProcess): () => Promise<string> {
  let said = ''
  let used = 0
  app.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return async () => {
    const until = performance.now() + PATIENCE
    for (;;) {
      const found = [...said.matchAll(/^Code: ([0-9A-Z]{4}-[0-9A-Z]{4}) /gm)]
      if (found.length > used) {
        used = found.length
        return found.at(-1)![1]!
      }
      if (performance.now() > until) throw new Error(`ken app showed no code:\n${said}`)
      await wait(20)
    }
  }
}

function ended(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    app.once('exit', () => done())
    app.kill('SIGTERM')
  })
}

async function openPage(
  browser: OwnBrowser,
  origin: string,
  { viewport = { width: 1440, height: 900 }, theme = 'light', isOffline = false }: DeskOptions,
): Promise<{ page: Page; problems: () => string[]; settled: Settled }> {
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
  const found: string[] = []
  const isOwn = (url: string): boolean => /^(?:data|blob|about):/.test(url) || new URL(url).origin === origin
  context.on('request', (request) => {
    if (!isOwn(request.url())) found.push(`request to ${request.url()}`)
  })
  if (isOffline)
    await context.route(
      (url) => !isOwn(url.href),
      (route) => route.abort(),
    )
  context.on('console', (message) => {
    const isError = message.type() === 'error' && !isRefusal(message.text(), message.location().url)
    if (isError || /content security policy/i.test(message.text())) found.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => found.push(`error: ${error.error().message}`))
  const page = await context.newPage()
  // Generous, because slowness on a busy machine is not a failure.
  page.setDefaultTimeout(60_000)
  // The browser raises this event even if it writes nothing to the console.
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('Content Security Policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' at ' + event.sourceFile + ':' + event.lineNumber + ':' + event.columnNumber))",
  )
  return { page, problems: () => found.splice(0), settled: settling(page) }
}

/** Whether a console line is only the browser's log of an operation's error status. */
const isRefusal = (text: string, url: string): boolean =>
  /^Failed to load resource: .* status of 4\d\d/.test(text) && new URL(url).pathname.startsWith('/v1/')

// Longest gap between two requests of a page that is still loading.
const QUIET_MS = 100

/**
 * Navigates and waits until the page has no pending requests and no skeletons. Event streams never end and do not
 * count, nor do requests of the previous page.
 */
type Settled = (going: () => Promise<void>) => Promise<void>

function settling(page: Page): Settled {
  const asked = new Set<Request>()
  let last = performance.now()
  const end = (request: Request): void => {
    if (asked.delete(request)) last = performance.now()
  }
  page.on('request', (request) => {
    asked.add(request)
    last = performance.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) end(response.request())
  })
  return async (going) => {
    asked.clear()
    await going()
    const until = performance.now() + PATIENCE
    while (asked.size > 0 || performance.now() - last < QUIET_MS) {
      if (performance.now() > until) throw new Error(`no answer yet: ${[...asked].map((one) => one.url()).join(' ')}`)
      await wait(QUIET_MS / 4)
    }
    // Does not poll a function in the page, because the page's policy forbids evaluation.
    while ((await page.locator('[aria-busy="true"]').count()) > 0) {
      if (performance.now() > until) throw new Error('the page is still busy')
      await wait(QUIET_MS / 4)
    }
  }
}

/**
 * The devtools protocol runs axe in an isolated world, so the page's policy stays in force and the page cannot see it.
 */
async function axeOn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } }
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'axe',
    })
    await session.send('Runtime.evaluate', { expression: AXE, contextId })
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(RULES)} }).then(JSON.stringify)`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    })
    const { violations } = JSON.parse(String(result.value)) as AxeResults
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
      ),
    )
  } finally {
    await session.detach()
  }
}

const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
