import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { plantConflict } from '../../planted-conflict.ts'
import { withRecord, type AppDesk } from './app-desk.ts'
import type { Place } from './type-in-fields.ts'

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const press = (key: string) => async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}
const menu = (name: RegExp, item: string) => async (page: Page) => {
  await click(name)(page)
  await page.getByRole('menuitem', { name: item }).click()
}
const choose = (label: string, option: string) => async (page: Page) => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}
const first = (...steps: readonly ((page: Page) => Promise<unknown>)[]) =>
  async function allOf(page: Page): Promise<void> {
    for (const step of steps) await step(page)
  }
const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const ran = first(click(/^Run/), (page) => page.getByRole('region', { name: 'Result' }).waitFor())
const editQueued = async (page: Page): Promise<void> => {
  const region = page.getByRole('region', { name: 'Queued questions' })
  if ((await region.count()) === 0) {
    const [, project, , chat] = new URL(page.url()).pathname.split('/')
    await page.evaluate(
      ([key, queue]) => localStorage.setItem(key!, queue!),
      [`ken.queue.ask.${project}.${chat}`, JSON.stringify([{ id: 'q', text: 'How many came back?' }])],
    )
    await page.reload()
  }
  await region.getByRole('button', { name: 'Edit' }).click()
}
const OF_EACH_CHAT = /^(Question|Search chats)$/

/** Every place of the app with a field. `{chat}` and `{draft}` are filled in by `fillDesk`. */
export const PLACES: readonly Place[] = [
  { path: 'news', open: press('ControlOrMeta+k') },
  { path: 'inbox?draft={draft}', open: click(/^Edit/), keeps: true },
  { path: 'inbox?kind=conflict', open: click(/^Merge by hand/), keeps: true },
  { path: 'ask', keeps: true },
  { path: 'ask', open: first(menu(/scripted/, 'Another model'), dialog) },
  { path: 'ask/{chat}', open: click('Edit and ask again'), keeps: true },
  { path: 'ask/{chat}', open: click('A bad answer'), without: OF_EACH_CHAT, keeps: true },
  { path: 'ask/{chat}', open: menu(/^More for this chat/, 'Rename'), without: OF_EACH_CHAT },
  { path: 'ask/{chat}', open: menu(/^More for (?!this chat)/, 'Rename'), without: OF_EACH_CHAT },
  { path: 'ask/{chat}', open: editQueued, without: OF_EACH_CHAT, keeps: true },
  { path: 'decisions', open: click('Filter') },
  { path: 'decisions?view=graph' },
  { path: 'decisions/new', open: click('Add one'), keeps: true },
  { path: 'decisions/24/edit', keeps: true },
  { path: 'decisions?view=questions', keeps: true },
  { path: 'decisions?view=questions&question=Q1' },
  { path: 'memory' },
  { path: 'memory?q=slots', open: (page) => page.getByRole('article').getByRole('searchbox').waitFor() },
  { path: 'memory/notes', keeps: true },
  { path: 'memory/about-me', keeps: true },
  { path: 'memory/about-me', open: click('Edit'), without: /^Rule/, keeps: true },
  {
    path: 'memory/about-me',
    open: first(click('Promote'), dialog, choose('Destination', 'A decision of the record')),
    keeps: true,
  },
  { path: 'context/table/wide/main.wide' },
  { path: 'context/sql', keeps: true },
  { path: 'context/sql?sql=SELECT+1+AS+one&db=shop', open: ran },
  { path: 'context/sql?sql=SELECT+2+AS+two&db=shop', open: first(ran, click(/^Save$/), dialog), keeps: true },
  { path: 'context/sources', open: first(click('Add a source'), dialog) },
  { path: 'context/sources?add=postgres', without: /^Kind$/, forgets: /^(url|password|token)/, keeps: true },
  { path: 'context/sources?add=github', without: /^Kind$/, forgets: /^(url|password|token)/, keeps: true },
  { path: 'context/config', keeps: true },
  { path: 'context/rules', keeps: true },
  { path: 'stories' },
  { path: 'stories', open: first(click('New story'), dialog), keeps: true },
  { path: 'stories/revenue?view=edit', keeps: true },
  { path: 'stories/revenue', open: first(menu(/^More/, 'Schedule'), dialog), keeps: true },
  { path: 'stories/the-month-in-orders', without: /^Search/, keeps: true },
  { path: 'tests' },
  { path: 'tests', open: press('r'), keeps: true },
  { path: 'tests?record=last', keeps: true },
  { path: 'tests?feedback=last', forgets: /^Downvote/, keeps: true },
  { path: 'tests?record=last', open: choose('From', 'A search'), keeps: true },
  { path: 'tests?record=last', open: choose('From', 'An approach check'), keeps: true },
  { path: 'settings/models' },
  { path: 'settings/models', open: click('Address, prices and limits') },
  { path: 'settings/collections', keeps: true },
  { path: 'settings/collections', open: click('Rename handbook'), without: /^(Name #2|Folder|Files)$/ },
  { path: 'settings/all', without: /^(?!Search)/ },
  { path: 'settings/tokens', open: first(click('Create token'), confirming) },
]

async function confirming(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: /^Confirm: / }).waitFor()
}

/** Gives the desk what the places show; returns a function that fills in their paths. */
export async function fillDesk(desk: AppDesk): Promise<(path: string) => string> {
  const { chat } = await desk.run('ask', { question: 'How many orders?' })
  await desk.run('flag_question', { question: 'May the cache hold addresses?' })
  await desk.run('memory_write', { content: 'The kettle is red.', target: 'memory', scope: 'global' })
  await desk.run('memories_add', { content: 'Always show weights in grams.' })
  const other = await desk.run('ask', { question: 'How much revenue?' })
  const { drafts } = await desk.run('feedback', { message: other['chat'], vote: 'down', reason: 'Revenue is net.' })
  const rule = drafts.find(({ kind }: { kind: string }) => kind === 'rule')
  await desk.run('story_new', { title: 'The month in orders', template: 'comparison' })
  const handbook = join(desk.home, 'handbook')
  mkdirSync(handbook, { recursive: true })
  writeFileSync(join(handbook, 'one.md'), '# Market days\n\nDrivers call the hall first.\n')
  await desk.run('collection_add', { name: 'handbook', path: handbook })
  await withRecord(desk, async (store) => {
    const file = (await store.list()).find((name) => name.startsWith('decisions/024-'))!
    const begin = (words: string) => (text: string) => text.replace('## Decision\n', `## Decision\n\n${words}\n`)
    await plantConflict(store, file, [begin('For all shops.'), begin('For one shop.')])
  })
  // Its page has a field to find a column.
  const wide = new DatabaseSync(join(desk.folder, 'wide.db'))
  wide.exec(`CREATE TABLE wide (${Array.from({ length: 20 }, (_, at) => `c${at} TEXT`).join(', ')})`)
  wide.close()
  await desk.run('source_add', { what: ['wide.db'], yes: true })
  await desk.run('sync_sources')
  return (path) => path.replace('{chat}', chat).replace('{draft}', rule.id)
}
