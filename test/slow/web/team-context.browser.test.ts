import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTeam, type Team } from '../../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../../src/app/team/serve-team.ts'
import { webAppFiles } from '../../../src/app/web-app-files.ts'
import { systemClock } from '../../../src/kernel/system/clock.ts'
import { claimServer, setupCode } from '../../../src/team/first-start.ts'
import { openSession } from '../../../src/team/open-session.ts'
import { compiledContext } from '../../compiled-context.ts'
import { makeContextRepository, type ContextRepository } from '../../context-repository.ts'
import { newDatabase, type OwnDatabase } from '../../postgres/run-server.ts'
import { freePort } from '../../postgres/server.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(chromiumMissing() !== undefined)('the context of a team, in its browsers', () => {
  let postgres: OwnDatabase
  let team: Team
  let server: TeamServer
  let browser: OwnBrowser
  let repository: ContextRepository
  let compiled: Readonly<Record<string, string>>
  let [admin, viewer]: Page[] = []
  let [origin, project] = ['', '']
  const problems: string[] = []

  beforeAll(async () => {
    const [started, launched, files, port, context] = await Promise.all([
      newDatabase(),
      openBrowser(),
      webAppFiles(),
      freePort(),
      compiledContext(),
    ])
    postgres = started
    browser = launched
    compiled = context
    origin = `http://127.0.0.1:${port}`
    repository = makeContextRepository()
    team = await openTeam({
      databaseUrl: postgres.url,
      clock: systemClock,
      embedder: async () => undefined,
      environment: { KEN_GIT_FILES: '1', PATH: process.env['PATH'] },
    })
    server = await serveTeam(team, {
      publicUrl: origin,
      hostname: '127.0.0.1',
      port,
      clock: systemClock,
      notice: 0,
      log: () => undefined,
      people: {
        ways: { mailer: undefined, ceremonies: undefined, provider: undefined },
        files,
        documents: undefined,
        allowsRegistration: false,
      },
    })
    const { person, opened } = await claimServer(team.signIn, {
      code: (await setupCode(team.signIn))!,
      organisation: 'Acme',
      email: 'ada@acme.example',
      name: 'Ada',
      userAgent: null,
    })
    const { organisation, id: ada } = person
    const [id, at, email] = [systemClock.ulid(), systemClock.now().toISOString(), 'vic@acme.example']
    project = id
    await team.projects.create({ id, organisation, name: 'Shop', access: 'organisation', createdAt: at }, ada)
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const invitation = { id: systemClock.ulid(), organisation, email, invitedBy: ada, createdAt: at, expiresAt }
    await team.invitations.invite({ ...invitation, role: 'viewer' })
    const [other] = await team.invitations.accept({ email, name: 'Vic', at })
    const session = await openSession(team.signIn, { person: other!.id, proof: 'code', userAgent: null })
    admin = await pageOf(opened.secret)
    viewer = await pageOf(session.secret)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await team?.close()
    await postgres?.stop()
    repository?.remove()
  })

  async function pageOf(session: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'ken-session', value: session, url: origin }])
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    return page
  }
  const axe = async (page: Page): Promise<string[]> => {
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  const fromGit = (page: Page) => page.getByRole('region', { name: 'From git' })

  test('a viewer without a context sees who can add it, and an admin gets a link to the setting', async () => {
    await viewer!.goto(`${origin}/${project}/context`)
    await viewer!.getByText('A project admin connects a repository').waitFor()
    expect(await viewer!.getByRole('link', { name: 'Connect a repository' }).count()).toBe(0)
    await admin!.goto(`${origin}/${project}`)
    await admin!.getByRole('link', { name: /^Context/ }).click()
    const next = admin!.getByRole('link', { name: 'Connect a repository' })
    await next.waitFor()
    expect(await axe(admin!)).toEqual([])
    await next.press('Enter')
    const part = admin!.getByRole('region', { name: 'Context from git' })
    repository.commit(compiled)
    await part.getByLabel('Address').fill(repository.address)
    await part.getByRole('button', { name: 'Connect' }).click()
    await part.getByText('No active commit yet.').waitFor()
    expect(problems).toEqual([])
  })

  test('everybody sees the commit, tables, files and sources of the context, and no controls to change them', async () => {
    const commit = repository.git('rev-parse', 'HEAD')
    await viewer!.goto(`${origin}/${project}/context`)
    await fromGit(viewer!).getByText(commit.slice(0, 12)).waitFor()
    await fromGit(viewer!).getByText('of main').waitFor()
    await fromGit(viewer!)
      .getByText(/up to date/)
      .waitFor()
    expect(await viewer!.getByText(repository.folder).count()).toBe(0)
    for (const colorScheme of ['dark', 'light'] as const) {
      await viewer!.emulateMedia({ colorScheme })
      expect(await axe(viewer!)).toEqual([])
    }
    await viewer!.keyboard.press('/')
    await viewer!.keyboard.type('orders')
    await viewer!.getByRole('treeitem', { name: 'orders' }).waitFor()
    await viewer!.getByRole('tree').focus()
    await viewer!.keyboard.press('End')
    await viewer!.keyboard.press('Enter')
    await viewer!.getByRole('main').getByRole('heading', { name: 'orders', exact: true }).waitFor()
    await viewer!.getByRole('rowheader', { name: 'amount' }).waitFor()
    await viewer!.getByText('is in euros').waitFor()
    const views = viewer!.getByRole('navigation', { name: 'Context' })
    await views.getByRole('link', { name: 'Rules' }).click()
    await viewer!.getByRole('main').getByRole('heading', { name: 'RULES.md' }).waitFor()
    await views.getByRole('link', { name: 'Sources' }).click()
    await viewer!.getByRole('listitem', { name: 'shop' }).getByText('synced', { exact: true }).waitFor()
    for (const name of ['ken.yaml', 'Edit']) expect(await viewer!.getByRole('link', { name }).count(), name).toBe(0)
    for (const name of ['Sync all', 'Add a source', 'Test', 'Pull now'])
      expect(await viewer!.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    expect(await axe(viewer!)).toEqual([])
    await viewer!.goto(`${origin}/${project}/context/config`)
    await fromGit(viewer!).waitFor()
    expect(problems).toEqual([])
  })

  test('an admin pulls a new commit; an unusable one is reported with file and line, and changes nothing', async () => {
    await admin!.goto(`${origin}/${project}/context`)
    const good = repository.commit({ 'RULES.md': '- `orders.amount` is in cents.\n' })
    await admin!.getByRole('button', { name: 'Pull now' }).click()
    await fromGit(admin!).getByText(good.slice(0, 12)).waitFor()
    const bad = repository.commit({ 'ken.yaml': 'name: shop\n\ndatabases:\n  - { name: x, type: sqlite, paht: x }\n' })
    await fromGit(admin!)
      .getByText(/up to date/)
      .waitFor()
    await admin!.getByRole('button', { name: 'Pull now' }).click()
    await fromGit(admin!).getByText('The last pull failed').waitFor()
    expect(await axe(admin!)).toEqual([])
    await viewer!.goto(`${origin}/${project}/context`)
    await fromGit(viewer!).getByText('ken.yaml:4').waitFor()
    await fromGit(viewer!).getByText(bad.slice(0, 12)).waitFor()
    await fromGit(viewer!).getByText(good.slice(0, 12)).waitFor()
    await viewer!.setViewportSize({ width: 390, height: 844 })
    await fromGit(viewer!).getByText('ken.yaml:4').waitFor()
    expect(await axe(viewer!)).toEqual([])
    await viewer!.goto(`${origin}/${project}/context/file/RULES.md`)
    await viewer!.getByText('is in cents').waitFor()
    expect(problems).toEqual([])
  })
})
