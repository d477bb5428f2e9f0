import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTeam, type Team } from '../../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../../src/app/team/serve-team.ts'
import { webAppFiles } from '../../../src/app/web-app-files.ts'
import { systemClock } from '../../../src/kernel/system/clock.ts'
import { callerOfToken } from '../../../src/team/authenticate.ts'
import { claimServer, setupCode } from '../../../src/team/first-start.ts'
import { newDatabase, type OwnDatabase } from '../../postgres/run-server.ts'
import { freePort } from '../../postgres/server.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(chromiumMissing() !== undefined)('the settings of a team, in a browser', () => {
  let postgres: OwnDatabase
  let team: Team
  let server: TeamServer
  let browser: OwnBrowser
  let page: Page
  let admin: string
  let origin: string

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
    })
    const ways = { mailer: undefined, ceremonies: undefined, provider: undefined }
    server = await serveTeam(team, {
      publicUrl: origin,
      hostname: '127.0.0.1',
      port,
      clock: systemClock,
      notice: 0,
      log: () => undefined,
      people: { ways, files, documents: undefined, allowsRegistration: false },
    })
    const { person, opened } = await claimServer(team.signIn, {
      code: (await setupCode(team.signIn))!,
      organisation: 'Acme',
      email: 'admin@acme.example',
      name: 'Admin',
      userAgent: null,
    })
    admin = person.id
    const [id, createdAt] = [systemClock.ulid(), systemClock.now().toISOString()]
    const { organisation } = person
    await team.projects.create({ id, organisation, name: 'Shop', access: 'organisation', createdAt }, admin)
    const context = await browser.newContext()
    await context.addCookies([{ name: 'ken-session', value: opened.secret, url: origin }])
    page = await context.newPage()
    await page.goto(`${origin}/${id}/settings`)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await team?.close()
    await postgres?.stop()
  })

  const axe = async (): Promise<string[]> => {
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name }).click()

  const choose = async (label: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  test('an admin invites a person, and sees how they sign in', async () => {
    await page.getByRole('heading', { name: 'Invitations' }).waitFor()
    await page.getByLabel('E-mail address').fill('ada@acme.example')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText(`Tell them to sign in at ${origin}`).waitFor()
    await page.getByRole('button', { name: 'Withdraw the invitation of ada@acme.example' }).waitFor()
    expect(await axe()).toEqual([])
    await page.getByRole('button', { name: 'Remove admin@acme.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('An organisation needs at least one admin.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('a person changes the name that others see', async () => {
    const own = page.getByRole('region', { name: 'Your name' })
    await own.getByLabel('Name').fill('Grace Hopper')
    await own.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'People' }).getByText('Grace Hopper').waitFor()
    expect((await team.people.find(admin))?.name).toBe('Grace Hopper')
    expect(await axe()).toEqual([])
  })

  test('a project is renamed and restricted to its members', async () => {
    await section('Projects')
    const project = page.getByRole('region', { name: 'Shop' })
    await project.getByLabel('Name').fill('Web shop')
    await project.getByRole('button', { name: 'Rename' }).click()
    const renamed = page.getByRole('region', { name: 'Web shop' })
    await renamed.getByRole('combobox', { name: 'Access' }).click()
    await page.getByRole('option', { name: 'Members only' }).click()
    await expect
      .poll(async () => (await team.projects.list(admin))[0])
      .toMatchObject({
        name: 'Web shop',
        access: 'members',
      })
    expect(await axe()).toEqual([])
  })

  test('the context of a project comes from a repository that an admin sets', async () => {
    const context = page.getByRole('region', { name: 'Context from git' })
    await context.getByLabel('Address').fill('http://git.example.invalid/context.git')
    await context.getByRole('button', { name: 'Connect' }).click()
    await context.getByText('A repository address must start with https://.').waitFor()
    await context.getByLabel('Address').fill('https://git.example.invalid/context.git')
    await context.getByRole('button', { name: 'Connect' }).click()
    await context.getByText('No active commit yet.').waitFor()
    expect(await axe()).toEqual([])
    await context.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await context.getByRole('button', { name: 'Connect' }).waitFor()
  })

  test('the audit log leaves out page reads, filters by outcome and is downloaded', async () => {
    await section('Audit')
    const entries = page.getByRole('list', { name: 'Audit log entries' })
    await entries.getByText('project_change').first().waitFor()
    expect(await entries.getByText('people_list').count()).toBe(0)
    await choose('Outcome', 'Refused or failed')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => entries.getByText('project_change').count()).toBe(0)
    await entries.getByText('context_git_set').first().waitFor()
    expect(await axe()).toEqual([])
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('audit-log.jsonl')
    const lines = readFileSync((await file.path())!, 'utf8')
      .trimEnd()
      .split('\n')
    const outcomes = lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)
    expect(outcomes.length).toBeGreaterThan(0)
    expect(outcomes).not.toContain('ok')
  })

  test('a token is shown once and works; a revoked one is rejected', async () => {
    await section('Tokens')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('laptop')
    await choose('Rights', 'Read')
    await choose('Project', 'Web shop')
    await choose('Expires after', '7 days')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Shown only once:').waitFor()
    const secret = (await page
      .locator('code')
      .filter({ hasText: /^ken_a_/ })
      .textContent())!
    const parts = { tokens: team.tokens, clock: systemClock }
    const [shop] = await team.projects.list(admin)
    expect(await callerOfToken(parts, secret)).toMatchObject({
      person: admin,
      through: 'agent',
      scopes: ['read'],
      projects: [shop!.id],
    })
    const [kept] = await team.tokens.list(admin)
    expect(Date.parse(kept!.expiresAt) - Date.parse(kept!.createdAt)).toBe(7 * 24 * 3_600_000)
    await page.getByText(/agent · read · Web shop · until/).waitFor()
    expect(await axe()).toEqual([])
    await page.getByRole('button', { name: 'Revoke laptop' }).click()
    await expect.poll(() => callerOfToken(parts, secret)).toBeUndefined()
    await page.reload()
    await page.getByRole('heading', { name: 'Browsers' }).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
  })
})
