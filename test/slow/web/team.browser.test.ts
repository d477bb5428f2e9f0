import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBundledEmbedder } from '../../../src/app/bundled-model.ts'
import { openTeam, type Team } from '../../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../../src/app/team/serve-team.ts'
import { openSignInWays } from '../../../src/app/team/sign-in-ways.ts'
import { webAppFiles } from '../../../src/app/web-app-files.ts'
import { systemClock } from '../../../src/kernel/system/clock.ts'
import { setupCode } from '../../../src/team/first-start.ts'
import { newDatabase, type OwnDatabase } from '../../postgres/run-server.ts'
import { freePort } from '../../postgres/server.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from '../chromium.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

describe.skipIf(missing)('a team in its browsers', () => {
  let postgres: OwnDatabase
  let team: Team
  let server: TeamServer
  let browser: OwnBrowser
  let page: Page
  const mails = mkdtempSync(join(tmpdir(), 'ken-mails-'))
  const problems: string[] = []

  beforeAll(async () => {
    postgres = await newDatabase()
    team = await openTeam({
      databaseUrl: postgres.url,
      clock: systemClock,
      embedder: openBundledEmbedder,
    })
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    server = await serveTeam(team, {
      publicUrl,
      hostname: '127.0.0.1',
      port,
      clock: systemClock,
      notice: 0,
      log: () => undefined,
      people: {
        ways: await openSignInWays({ KEN_MAIL_FOLDER: mails }, { publicUrl, clock: systemClock }),
        files: await webAppFiles(),
        documents: undefined,
        allowsRegistration: true,
      },
    })
    browser = await openBrowser()
    const context = await browser.newContext({ baseURL: publicUrl })
    page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`)
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await team?.close()
    await postgres?.stop()
    rmSync(mails, { recursive: true })
  })

  test('the first admin signs in with the server’s code, creates a project and records a decision', async () => {
    await page.goto('/')
    await page.getByLabel('Code').fill((await setupCode(team.signIn))!)
    await page.getByLabel('Name of your organisation').fill('Acme')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.locator('h1').first().waitFor()
    const project = new URL(page.url()).pathname.split('/')[1]!
    await page.goto(`/${project}/decisions/new`)
    await page.getByLabel('Decision', { exact: true }).fill('Keep sessions of shoppers in Valkey')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Lower p99 than the database, and it may be lost.')
    await page.getByText('Ready to record.').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.title()).toMatch(/D0*2\b/)
    await page.getByRole('link', { name: /^Home/ }).click()
    await page
      .getByRole('region', { name: 'New in the last seven days' })
      .getByRole('link', { name: /^Keep sessions of shoppers/ })
      .waitFor()
    await page.waitForLoadState('networkidle')
    expect(problems).toEqual([])
  })

  test('a passkey is added, and signs its owner in again', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    await page.goto('/account')
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Laptop, since').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(/sign-in/)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('ada@example.com').waitFor()
    expect(problems).toEqual([])
  })

  test('an expired session is reported, and the page resumes after a code from a mail', async () => {
    await page.goto('/')
    await page.waitForURL((address) => /^\/[0-9A-Z]{26}/.test(address.pathname))
    const project = new URL(page.url()).pathname.split('/')[1]!
    await page.goto(`/${project}/decisions`)
    await page.getByText('Keep sessions of shoppers in Valkey').first().waitFor()
    const { people, sessions } = team.signIn
    await sessions.endOthers((await people.withAddress('ada@example.com'))[0]!.id, 'none')
    await page.getByPlaceholder('Search, or describe an approach').fill('Keep sessions in memory')
    await page.getByRole('alertdialog', { name: 'You are not signed in' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    // Discards requests the page made without a session.
    problems.length = 0
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Code').waitFor()
    await expect.poll(() => readdirSync(mails).length).toBe(1)
    const [, code] = /Your code is ([\d ]+)\./.exec(readFileSync(join(mails, readdirSync(mails)[0]!), 'utf8'))!
    await page.getByLabel('Code').fill(code!)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`**/${project}/decisions`)
    await page.getByText('Keep sessions of shoppers in Valkey').first().waitFor()
    expect(problems).toEqual([])
  })
})
