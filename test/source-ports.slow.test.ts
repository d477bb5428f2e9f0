import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { openLiquidTemplates } from '../src/context/adapters/liquid-templates.ts'
import { openDatabaseSource } from '../src/context/database-source.ts'
import { databaseFields } from '../src/context/domain/context-project/config.ts'
import type { Source } from '../src/context/ports/source.ts'
import { openAirflowSource } from '../src/context/source/airflow/airflow-source.ts'
import { openConfluenceSource } from '../src/context/source/confluence/confluence-source.ts'
import { openCubeSource } from '../src/context/source/cube/cube-source.ts'
import { openDagsterSource } from '../src/context/source/dagster/dagster-source.ts'
import { openDbtSource } from '../src/context/source/dbt/dbt-source.ts'
import { openFolderSource } from '../src/context/source/folder-source.ts'
import { openGitSource } from '../src/context/source/git/git-source.ts'
import { openGithubExport } from '../src/context/source/github/export-source.ts'
import { openLookerSource } from '../src/context/source/looker/looker-source.ts'
import { openMetabaseSource } from '../src/context/source/metabase/metabase-source.ts'
import { openNotionSource } from '../src/context/source/notion/notion-source.ts'
import { openOpenLineageSource } from '../src/context/source/openlineage/openlineage-source.ts'
import { openSlackSource } from '../src/context/source/slack/slack-source.ts'
import { openWebSource } from '../src/context/source/web/web-source.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import { serveWeb } from './context/web-server.ts'
import { describeSource, type SourceSubject } from './contract/source.contract.ts'

const SECRET = 'integration-token-1234'
const NO_FILTER = { include: [], exclude: [] }

/** A separate folder for the files of one subject. */
function desk(): { readonly folder: string; write(path: string, text: string): void; clear(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ken-source-'))
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

describeSource('a folder', async () => {
  const { folder, write, clear } = desk()
  write('a/one.md', 'first words')
  write('two.md', 'second words')
  return {
    open: async () => openFolderSource({ folder, root: join(folder, '..', 'project'), target: 'docs/x', ...NO_FILTER }),
    change: async () => write('a/one.md', 'other words, and more of them'),
    remove: async () => rmSync(join(folder, 'two.md')),
    lose: async () => clear(),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('a git repository', async () => {
  const { folder, write, clear } = desk()
  const origin = join(folder, 'origin')
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', origin, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words])
  const commit = (): void => {
    git('add', '-A')
    git('commit', '-qm', 'a change')
  }
  write('origin/a/one.md', 'first words')
  write('origin/two.md', 'second words')
  git('init', '-q', '-b', 'main')
  commit()
  const parts = { url: origin, branch: 'main', clone: join(folder, 'clone'), target: 'repos/x', ...NO_FILTER }
  return {
    open: async () => openGitSource(parts),
    async change() {
      write('origin/a/one.md', 'other words')
      commit()
    },
    async remove() {
      git('rm', '-q', 'two.md')
      commit()
    },
    lose: async () => rmSync(origin, { recursive: true }),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('pages of the web', async () => {
  const pages = new Map([
    ['/one', 'first words'],
    ['/two', 'second words'],
  ])
  let isLost = false
  const web = await serveWeb(({ path }) => {
    if (isLost) return { status: 403, body: 'no' }
    if (path === '/llms.txt')
      return { body: [...pages.keys()].map((page) => `- [Page ${page.slice(1)}](${page})`).join('\n') }
    const text = pages.get(path)
    return text === undefined ? undefined : { headers: { etag: `"${text}"` }, body: `<html><p>${text}</p></html>` }
  })
  return {
    open: async () => openWebSource({ url: `${web.url}/llms.txt`, target: 'docs/x', ...NO_FILTER }),
    change: async () => void pages.set('/one', 'other words'),
    remove: async () => void pages.delete('/two'),
    lose: async () => void (isLost = true),
    secret: SECRET,
    close: web.close,
  }
})

describeSource('Notion', async () => {
  const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`
  const pages = new Map([
    [id(1), { title: 'One', text: 'first words', edited: '2026-01-01T00:00:00.000Z' }],
    [id(2), { title: 'Two', text: 'second words', edited: '2026-01-01T00:00:00.000Z' }],
  ])
  let isLost = false
  const web = await serveWeb(({ path, headers }) => {
    if (isLost || headers.authorization !== `Bearer ${SECRET}`) return { status: 401, body: { message: 'no' } }
    if (path === '/v1/search')
      return {
        body: {
          results: [...pages].map(([page, { title, edited }]) => ({
            object: 'page',
            id: page,
            last_edited_time: edited,
            parent: { type: 'workspace', workspace: true },
            properties: { title: { type: 'title', title: [{ plain_text: title }] } },
          })),
          has_more: false,
        },
      }
    const page = pages.get(/^\/v1\/blocks\/([^/]+)\/children$/.exec(path)?.[1] ?? '')
    if (page === undefined) return undefined
    const rich_text = [{ plain_text: page.text, annotations: {} }]
    const block = { id: id(9), type: 'paragraph', paragraph: { rich_text }, has_children: false }
    return { body: { results: [block], has_more: false } }
  })
  return {
    open: async () => openNotionSource({ url: web.url, token: SECRET, pages: [] }),
    change: async () =>
      void pages.set(id(1), { title: 'One', text: 'other words', edited: '2026-01-02T00:00:00.000Z' }),
    remove: async () => void pages.delete(id(2)),
    lose: async () => void (isLost = true),
    secret: SECRET,
    close: web.close,
  }
})

describeSource('Confluence', async () => {
  const pages = new Map([
    ['1', { title: 'One', text: 'first words', number: 1 }],
    ['2', { title: 'Two', text: 'second words', number: 1 }],
  ])
  let isLost = false
  const web = await serveWeb(({ path, headers }) => {
    if (isLost || headers.authorization !== `Bearer ${SECRET}`) return { status: 401, body: { message: 'no' } }
    if (path === '/wiki/api/v2/spaces') return { body: { results: [{ id: '7', key: 'OPS' }] } }
    if (path === '/wiki/api/v2/spaces/7/pages')
      return { body: { results: [...pages].map(([id, { title, number }]) => ({ id, title, version: { number } })) } }
    const page = pages.get(/\/pages\/(\d)$/.exec(path)?.[1] ?? '')
    return page && { body: { title: page.title, body: { storage: { value: `<p>${page.text}</p>` } } } }
  })
  return {
    open: async () =>
      openConfluenceSource({ url: `${web.url}/wiki`, email: undefined, token: SECRET, spaces: ['OPS'] }),
    change: async () => void pages.set('1', { title: 'One', text: 'other words', number: 2 }),
    remove: async () => void pages.delete('2'),
    lose: async () => void (isLost = true),
    secret: SECRET,
    close: web.close,
  }
})

describeSource('dbt', async () => {
  const { folder, write, clear } = desk()
  const models = new Map([
    ['one', 'first words'],
    ['two', 'second words'],
  ])
  const parse = (): void =>
    write(
      'target/manifest.json',
      JSON.stringify({
        nodes: Object.fromEntries(
          [...models].map(([name, description]) => [
            name,
            { unique_id: `model.x.${name}`, resource_type: 'model', name, schema: 's', description, columns: {} },
          ]),
        ),
      }),
    )
  parse()
  return {
    open: async () => openDbtSource({ folder, target: 'docs/dbt' }),
    async change() {
      models.set('one', 'other words')
      parse()
    },
    async remove() {
      models.delete('two')
      parse()
    },
    lose: async () => rmSync(join(folder, 'target'), { recursive: true }),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('Looker', async () => {
  const { folder, write, clear } = desk()
  write('one.view.lkml', 'view: one { description: "first words" }')
  write('two.view.lkml', 'view: two { description: "second words" }')
  return {
    open: async () => openLookerSource({ folder, target: 'docs/looker' }),
    change: async () => write('one.view.lkml', 'view: one { description: "other words" }'),
    remove: async () => rmSync(join(folder, 'two.view.lkml')),
    lose: async () => clear(),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('a Slack export', async () => {
  const { folder, write, clear } = desk()
  const say = (channel: string, text: string): void =>
    write(
      `in/${channel}/2026-01-05.json`,
      JSON.stringify([{ type: 'message', user: 'U1', ts: '1767607200.000100', text }]),
    )
  const channels = (...names: string[]): void =>
    write('in/channels.json', JSON.stringify(names.map((name) => ({ id: name, name }))))
  channels('one', 'two')
  say('one', 'first words')
  say('two', 'second words')
  const rules = { private: 'none', bots: false, reactions: false, ...NO_FILTER } as const
  return {
    open: async () => openSlackSource({ path: join(folder, 'in'), target: 'docs/slack/x', ...rules }),
    change: async () => say('one', 'other words'),
    remove: async () => channels('one'),
    lose: async () => rmSync(join(folder, 'in'), { recursive: true }),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('Cube', async () => {
  const { folder, write, clear } = desk()
  write('model/one.yml', 'cubes: [{ name: one, description: first words }]')
  write('model/two.js', "cube('two', { description: `second words` })")
  return {
    open: async () => openCubeSource({ folder, target: 'docs/cube' }),
    change: async () => write('model/one.yml', 'cubes: [{ name: one, description: other words }]'),
    remove: async () => rmSync(join(folder, 'model/two.js')),
    lose: async () => clear(),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('a GitHub export', async () => {
  const { folder, write, clear } = desk()
  const issues = (...bodies: string[]): void =>
    write(
      'in/issues.json',
      JSON.stringify(
        bodies.map((body, i) => ({ number: i + 1, title: `Issue ${i + 1}`, createdAt: '2026-01-01T00:00:00Z', body })),
      ),
    )
  issues('first words', 'second words')
  const rules = { repository: undefined, state: 'all', bots: false } as const
  return {
    open: async () => openGithubExport({ path: join(folder, 'in'), target: 'docs/github/x', ...rules }),
    change: async () => issues('other words', 'second words'),
    remove: async () => issues('other words'),
    lose: async () => rmSync(join(folder, 'in'), { recursive: true }),
    secret: SECRET,
    close: async () => clear(),
  }
})

describeSource('Metabase', async () => {
  const cards = new Map([
    [1, { name: 'One', description: 'first words', at: '1' }],
    [2, { name: 'Two', description: 'second words', at: '1' }],
  ])
  let isLost = false
  const web = await serveWeb(({ path, headers }) => {
    if (isLost || headers['x-api-key'] !== SECRET) return { status: 401, body: 'Unauthenticated' }
    if (path === '/api/database' || path === '/api/collection') return { body: [] }
    if (path === '/api/collection/root/items')
      return {
        body: {
          data: [...cards].map(([id, { name, at }]) => ({
            id,
            name,
            model: 'card',
            'last-edit-info': { timestamp: at },
          })),
        },
      }
    const id = Number(/^\/api\/card\/(\d+)$/.exec(path)?.[1])
    return cards.has(id) ? { body: { id, ...cards.get(id) } } : undefined
  })
  return {
    open: async () => openMetabaseSource({ url: web.url, key: SECRET, collections: [], target: 'docs/metabase' }),
    change: async () => void cards.set(1, { name: 'One', description: 'other words', at: '2' }),
    remove: async () => void cards.delete(2),
    lose: async () => void (isLost = true),
    secret: SECRET,
    close: web.close,
  }
})

/** A folder with one file for each of two things, written by `fileOf`. */
const twoFiles =
  (open: (path: string) => Source, name: string, fileOf: (thing: string, words: string) => string) =>
  async (): Promise<SourceSubject> => {
    const { folder, write, clear } = desk()
    const put = (thing: string, words: string): void => write(`in/${thing}${name}`, fileOf(thing, words))
    put('one', 'first words')
    put('two', 'second words')
    return {
      open: async () => open(join(folder, 'in')),
      change: async () => put('one', 'other words'),
      remove: async () => rmSync(join(folder, 'in', `two${name}`)),
      lose: async () => rmSync(join(folder, 'in'), { recursive: true }),
      secret: SECRET,
      close: async () => clear(),
    }
  }

describeSource(
  'Airflow',
  twoFiles(
    (path) => openAirflowSource({ path, target: 'docs/airflow/x', ...NO_FILTER }),
    '.py',
    (thing, words) => `from airflow import DAG\nwith DAG("${thing}", description="${words}"):\n  pass\n`,
  ),
)

describeSource(
  'Dagster',
  twoFiles(
    (path) => openDagsterSource({ path, target: 'docs/dagster/x', ...NO_FILTER }),
    '.py',
    (thing, words) =>
      `import dagster as dg\nx = dg.SourceAsset("${thing}", group_name="${thing}", description="${words}")\n`,
  ),
)

describeSource(
  'OpenLineage',
  twoFiles(
    (path) => openOpenLineageSource({ path, target: 'docs/openlineage/x' }),
    '.json',
    (thing, description) =>
      JSON.stringify({
        eventTime: '2026-01-01T00:00:00Z',
        run: { runId: thing },
        job: { namespace: 'x', name: thing, facets: { documentation: { description } } },
        inputs: [{ namespace: 'x', name: 'a.b' }],
      }),
  ),
)

describeSource('a database', async (): Promise<SourceSubject> => {
  const { folder, clear } = desk()
  const path = join(folder, 'shop.db')
  const exec = (sql: string): void => {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }
  exec(
    `CREATE TABLE one (id INTEGER, "first words" TEXT); INSERT INTO one VALUES (1, 'a');
     CREATE TABLE two (id INTEGER, "second words" TEXT); INSERT INTO two VALUES (2, 'b')`,
  )
  return {
    open: async () =>
      openDatabaseSource({
        config: z.looseObject(databaseFields).parse({ name: 'shop', type: 'sqlite' }),
        warehouse: await sqlite.open({ path }),
        templates: openLiquidTemplates(),
        overrides: new Map(),
        redact: (text) => secretRedactor.redact(text),
      }),
    change: async () => exec('ALTER TABLE one ADD COLUMN "other words" TEXT'),
    remove: async () => exec('DROP TABLE two'),
    lose: async () => clear(),
    secret: SECRET,
    close: async () => clear(),
  }
})
