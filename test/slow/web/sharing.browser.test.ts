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
import { ended, message, story, version } from '../../contract/analyst-samples.ts'
import { newDatabase, type OwnDatabase } from '../../postgres/run-server.ts'
import { freePort } from '../../postgres/server.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(chromiumMissing() !== undefined)('two people who share, in their browsers', () => {
  let postgres: OwnDatabase
  let team: Team
  let server: TeamServer
  let browser: OwnBrowser
  let [ada, bea]: Page[] = []
  let [origin, project, chat] = ['', '', '']
  const problems: string[] = []

  beforeAll(async () => {
    const [started, launched, files, port] = await Promise.all([
      newDatabase(),
      openBrowser(),
      webAppFiles(),
      freePort(),
    ])
    postgres = started
    browser = launched
    origin = `http://127.0.0.1:${port}`
    team = await openTeam({
      databaseUrl: postgres.url,
      clock: systemClock,
      embedder: async () => undefined,
      environment: { KEN_BUDGET_PERSON: '10' },
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
    const { organisation } = person
    const [id, at] = [systemClock.ulid(), systemClock.now().toISOString()]
    project = id
    await team.projects.create({ id, organisation, name: 'Shop', access: 'organisation', createdAt: at }, person.id)
    const email = 'bea@acme.example'
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    await team.invitations.invite({
      id: systemClock.ulid(),
      organisation,
      email,
      role: 'member',
      invitedBy: person.id,
      createdAt: at,
      expiresAt,
    })
    const [other] = await team.invitations.accept({ email, name: 'Bea', at })
    const session = await openSession(team.signIn, { person: other!.id, proof: 'code', userAgent: null })
    chat = await plant(person.id)
    ada = await pageOf(opened.secret)
    bea = await pageOf(session.secret)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await team?.close()
    await postgres?.stop()
  })

  /** Creates a chat, a story and their costs. */
  async function plant(user: string): Promise<string> {
    const state = team.parts.analyst.stateOf({ project, person: user })
    const [id, at] = [systemClock.ulid(), systemClock.now().toISOString()]
    const own = { user, project, folder: '/', createdAt: at, updatedAt: at }
    await state.chats.start({ id, title: 'Orders of May', starred: false, ...own })
    const say = (role: 'user' | 'assistant', text: string) =>
      state.log.begin(message(systemClock.ulid(), { chat: id, role, at, end: ended }), [{ kind: 'text', text }])
    await say('user', 'How many orders were there in May?')
    await say('assistant', 'There were **seven** orders.')
    await state.stories.create(story(systemClock.ulid(), { slug: 'sales', title: 'Sales of May', ...own }), {
      ...version(''),
      text: '# Sales of May\n\nThey went well.',
    })
    await state.calls.keep({
      id: systemClock.ulid(),
      user,
      project,
      chat: id,
      message: 'm',
      purpose: 'answer',
      model: 'some:model',
      usage: { input: 1200, output: 30, cached: 0, reasoning: 0, cost: 9 },
      milliseconds: 10,
      failed: false,
      at,
    })
    return id
  }

  async function pageOf(session: string): Promise<Page> {
    const context = await browser.newContext()
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
  const chats = (page: Page) => page.getByRole('grid', { name: 'Chats' })

  test('a chat is shared with one person, who reads and continues it, and loses it when it is unshared', async () => {
    await ada!.goto(`${origin}/${project}/ask/${chat}`)
    await ada!.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = ada!.getByRole('dialog')
    await dialog.getByLabel('Selected people').check()
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Bea').check()
    expect(await axe(ada!)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await ada!.getByRole('button', { name: 'Shared', exact: true }).waitFor()

    await bea!.goto(`${origin}/${project}/ask`)
    await bea!.getByRole('button', { name: 'Shared with me' }).click()
    await chats(bea!).getByText('shared by Ada').click()
    await bea!.getByText('Ada shared this chat with you.').waitFor()
    await bea!.getByText('seven').waitFor()
    expect(await bea!.getByRole('textbox', { name: /question|ask/i }).count()).toBe(0)
    for (const name of ['Edit and ask again', 'Share', 'A good answer'])
      expect(await bea!.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    expect(await axe(bea!)).toEqual([])

    await bea!.getByRole('button', { name: 'Continue in my own copy' }).click()
    await bea!.getByRole('link', { name: 'Ada’s chat' }).waitFor()
    await bea!.getByRole('button', { name: 'Share', exact: true }).waitFor()

    await ada!.getByRole('button', { name: 'Shared', exact: true }).click()
    await ada!.getByRole('dialog').getByLabel('Only me').check()
    await ada!.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
    await ada!.getByRole('button', { name: 'Share', exact: true }).waitFor()
    await bea!.getByRole('link', { name: 'Ada’s chat' }).click()
    await bea!
      .getByText(/No chat /)
      .first()
      .waitFor()
    await bea!.goto(`${origin}/${project}/ask?shared=true`)
    await bea!.getByText('No shared chats yet. Chats that others share with you appear here.').waitFor()
    expect(problems).toEqual([])
  })

  test('a story is shared with everybody, and read by another person without editing controls', async () => {
    await ada!.goto(`${origin}/${project}/stories/sales`)
    await ada!.getByRole('button', { name: 'Share', exact: true }).click()
    await ada!.getByRole('dialog').getByLabel('Everyone in the project').check()
    await ada!.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await ada!.getByRole('button', { name: 'Shared with everyone' }).waitFor()
    await bea!.goto(`${origin}/${project}/stories?shared=true`)
    await bea!.getByText('shared by Ada').click()
    await bea!.getByText('They went well.').waitFor()
    for (const name of ['Edit', 'Refresh', 'Versions', 'Share'])
      expect(await bea!.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    expect(await axe(bea!)).toEqual([])
    expect(problems).toEqual([])
  })

  test('an admin enables reading of chats, everybody sees that, and usage shows who is near a budget', async () => {
    await bea!.goto(`${origin}/${project}/settings/sharing`)
    await bea!.getByText('Only the owner of a chat and the people it is shared with can read it.').waitFor()
    await ada!.goto(`${origin}/${project}/settings/sharing`)
    await ada!.getByRole('switch', { name: /Admins of this project/ }).click()
    await ada!.getByRole('button', { name: 'Read Orders of May' }).first().click()
    await ada!.getByRole('dialog').getByText('seven').waitFor()
    expect(await axe(ada!)).toEqual([])
    await bea!.goto(`${origin}/${project}/ask`)
    await bea!.getByText('Admins of this project can read its chats.').waitFor()
    await ada!.goto(`${origin}/${project}/settings/usage`)
    await ada!.getByText('90 % of your budget for this month is spent.').waitFor()
    await ada!.getByRole('region', { name: 'Usage by person' }).getByRole('rowheader', { name: 'Ada' }).waitFor()
    expect(await axe(ada!)).toEqual([])
    await bea!.goto(`${origin}/${project}/settings/usage`)
    await bea!.getByRole('rowheader', { name: 'The project' }).waitFor()
    expect(await bea!.getByText('Usage by person').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
