import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { demoEnvironment } from '../../../src/app/demo/serve-demo.ts'
import { chromiumMissing } from '../chromium.ts'
import { openAppAt, type AppDesk } from './app-desk.ts'

const MADR = `---
status: accepted
date: 2025-03-04
---

# Use PostgreSQL for background jobs

## Context and Problem Statement

The order service sends invoices and e-mails after a request has ended. These jobs must survive a restart, and most of
them must not run before the order is committed. Where do we keep the queue?

## Decision Drivers

* A job and the order that it belongs to are written in one transaction.
* Two people operate everything.

## Considered Options

* PostgreSQL with SKIP LOCKED
* RabbitMQ
* Redis streams

## Decision Outcome

Chosen option: "PostgreSQL with SKIP LOCKED", because a job commits with its order and there is nothing new to operate.

### Consequences

* Good, because a lost job is a lost row, which the backup has.
* Bad, because more than about 500 jobs a second need another design.

## Pros and Cons of the Options

### RabbitMQ

* Good, because it routes by topic.
* Bad, because it is one more service to run, and an order can commit without its job.

### Redis streams

* Good, because they are fast.
* Bad, because what was written in the last second is lost with the machine.
`

const NYGARD = `# 2. Serve the shop as server-rendered pages

Date: 2025-04-11

## Status

Accepted

## Context

Most visitors come from search engines, on phones, for one page. Our single-page application needed 3.2 seconds until
the price was visible, and crawlers saw an empty page.

## Decision

We render every page on the server and add scripts only to the basket and the checkout. We do not build the shop as a
single-page application.

## Consequences

Pages work without scripts. State that outlives a page lives on the server or in the address.
`

const missing = chromiumMissing()
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'ken-set-up-')))
let desk: AppDesk
let clicks = 0
afterEach(async () => {
  await desk.close()
  rmSync(outside, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A folder with ADRs, a database and two agents in use, one with a session. */
async function openFolder({ hasGit }: { readonly hasGit: boolean }): Promise<AppDesk> {
  const [folder, home] = [join(outside, 'shop'), join(outside, 'home')]
  write(join(folder, 'docs/adr/0001-use-postgresql-for-background-jobs.md'), MADR)
  write(join(folder, 'docs/adr/0002-serve-the-shop-as-server-rendered-pages.md'), NYGARD)
  const database = new DatabaseSync(join(folder, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id INTEGER, total REAL); INSERT INTO orders VALUES (1, 9.5)')
  database.close()
  write(join(home, '.claude.json'), '{"theme":"dark"}')
  write(join(home, '.codex/config.toml'), '# mine\nmodel = "x"\n')
  const said = { sessionId: SESSION, cwd: folder, timestamp: '2026-01-05T10:00:00.000Z' }
  const lines = [
    { ...said, type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'Where do invoices go?' } },
    {
      ...said,
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Into the object store, one PDF each.' }] },
    },
  ]
  write(
    join(home, `.claude/projects/shop/${SESSION}.jsonl`),
    lines.map((line) => JSON.stringify(line)).join('\n') + '\n',
  )
  if (hasGit)
    for (const words of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'start'],
    ])
      execFileSync('git', words, { cwd: folder })
  // Otherwise the app reads sessions on its own.
  write(join(home, '.ken/config.yml'), 'upkeep:\n  background: false\n')
  const environment = { ...demoEnvironment({ PATH: process.env['PATH'] ?? '' }, home), HOME: home, KEN_TELEMETRY: '0' }
  return openAppAt({ folder, home, environment }, { hasModel: false })
}

const SESSION = '11111111-1111-4111-8111-111111111111'

/** Every folder and file with its hash, except databases, their locks and the seal of the index. */
function listing(): Record<string, string> {
  const entries = readdirSync(outside, { recursive: true, withFileTypes: true }).map(
    (entry) => [relative(outside, join(entry.parentPath, entry.name)), entry] as const,
  )
  return Object.fromEntries(
    entries
      .filter(
        ([path]) => !/(?:^|\/)\.git\/|\.db(?:-wal|-shm|\.lock|\.seal)?$|-lock$|index\.witness$|\/cache$/.test(path),
      )
      .map(([path, entry]) => [
        path,
        entry.isFile()
          ? createHash('sha256')
              .update(readFileSync(join(outside, path)))
              .digest('hex')
          : 'folder',
      ]),
  )
}

const status = (): string => execFileSync('git', ['status', '--porcelain'], { cwd: desk.folder, encoding: 'utf8' })

/** Counts the clicks of the journey. */
const click = async (name: string | RegExp): Promise<void> => {
  clicks++
  await desk.page.getByRole('button', { name }).click()
}

async function typeCode(): Promise<void> {
  const dialog = desk.page.getByRole('dialog', { name: 'Confirm: Set up this folder' })
  await dialog.getByLabel('Code', { exact: true }).fill(await desk.code())
  clicks++
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

describe.skipIf(missing)('a folder that was never set up', () => {
  test('is set up from the page, catches a rejected idea, and is as before after the undo', async () => {
    desk = await openFolder({ hasGit: true })
    const { page } = desk
    const setUp = page.getByRole('region', { name: 'Set up this folder' })
    await setUp.getByRole('checkbox', { name: 'Import docs/adr' }).waitFor()
    for (const name of ['Compile shop.sqlite', 'Connect Claude Code', 'Connect Codex', 'Read Claude Code sessions'])
      expect(await setUp.getByRole('checkbox', { name }).isChecked()).toBe(true)
    const before = listing()
    // To be looked at before the journey, so these are not counted.
    await setUp.getByRole('button', { name: 'Show changes: Connect Codex' }).click()
    await setUp.getByRole('heading', { name: '~/.codex/config.toml' }).waitFor()
    await setUp
      .getByText(/mcp_servers\.ken/)
      .first()
      .waitFor()
    await setUp.getByRole('button', { name: 'Show changes: Make a context project' }).click()
    await setUp.getByRole('heading', { name: '.ken/context/RULES.md' }).waitFor()
    expect(await desk.axe()).toEqual([])
    expect(listing()).toEqual(before)

    await click('Set up')
    await typeCode()
    const result = page.getByRole('region', { name: 'Set-up of this folder' })
    await result.getByText('Imported docs/adr').waitFor()
    await result.getByText('Compiled shop.sqlite').waitFor()
    await result.getByText('Start claude here and approve the server ken when it asks.').waitFor()
    expect(await result.getByText('Failed: ').count()).toBe(0)
    clicks++
    await result.getByLabel('Check an idea against the decisions').click()
    await page.keyboard.type('Move the job queue to RabbitMQ')
    await result.getByText('Conflict: it reintroduces "RabbitMQ", rejected in D001.').waitFor()
    console.log(`An empty folder to the first caught conflict: ${clicks} clicks, one code, one typed idea.`)
    expect(clicks).toBe(3)
    expect(await desk.axe()).toEqual([])
    expect(status()).not.toBe('')
    expect((await desk.run('overview')).sessions).toBe(1)

    await page.reload()
    await click('Undo set-up')
    await typeCode()
    await setUp.getByRole('checkbox', { name: 'Import docs/adr' }).waitFor()
    expect(status()).toBe('')
    expect(listing()).toEqual(before)
    expect(desk.problems()).toEqual([])
  })

  test('does only the chosen steps, and keeps a record with later decisions when it is undone', async () => {
    desk = await openFolder({ hasGit: false })
    const { page } = desk
    const setUp = page.getByRole('region', { name: 'Set up this folder' })
    for (const name of ['Compile shop.sqlite', 'Connect Claude Code', 'Connect Codex', 'Read Claude Code sessions'])
      await setUp.getByRole('checkbox', { name }).uncheck()
    expect(await setUp.getByRole('checkbox', { name: 'Make a context project' }).isChecked()).toBe(false)
    const config = readFileSync(join(desk.home, '.codex/config.toml'), 'utf8')
    await click('Set up')
    const dialog = page.getByRole('dialog', { name: 'Confirm: Set up this folder' })
    await dialog.getByRole('heading', { name: 'Import docs/adr' }).waitFor()
    expect(await dialog.getByText('Codex').count()).toBe(0)
    await typeCode()
    await page.getByRole('region', { name: 'Set-up of this folder' }).getByText('Imported docs/adr').waitFor()
    expect(readFileSync(join(desk.home, '.codex/config.toml'), 'utf8')).toBe(config)
    expect(existsSync(join(desk.folder, '.mcp.json'))).toBe(false)
    expect(existsSync(join(desk.folder, '.ken/context'))).toBe(false)
    const { location } = await desk.run('status')
    await desk.run('propose_decision', { title: 'Ship on Fridays', rationale: 'The week ends with what it made.' })
    await click('Undo set-up')
    await page.getByRole('dialog').getByRole('heading', { name: 'Release the folder' }).waitFor()
    await typeCode()
    await page.getByText(/^Undone\. Kept: The record: \d+ changes? since the set-up/).waitFor()
    expect(existsSync(join(desk.folder, '.ken'))).toBe(false)
    expect(existsSync(join(desk.folder, 'AGENTS.md'))).toBe(false)
    expect(readdirSync(join(location, 'decisions')).some((name) => name.includes('ship-on-fridays'))).toBe(true)
  })

  test('writes nothing when the code is not given', async () => {
    desk = await openFolder({ hasGit: true })
    await desk.page.getByRole('checkbox', { name: 'Import docs/adr' }).waitFor()
    const before = listing()
    await click('Set up')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await desk.page.getByRole('button', { name: 'Set up', disabled: false }).waitFor()
    expect(listing()).toEqual(before)
    expect(status()).toBe('')
  })
})
