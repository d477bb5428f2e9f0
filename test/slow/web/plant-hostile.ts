import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Script, ScriptedStep } from '../../scripted-model.ts'
import type { AppDesk } from './app-desk.ts'

// The word that finds the hostile text, wherever it was put.
export const WORD = 'quagmire'

/** Text that a session, a table or a document may contain to run something in a browser, or to send a beacon. */
export const hostile = (beacon: string): string =>
  [
    `${WORD} <script>window.pwned = 'script'</script>`,
    `<img src="x" onerror="window.pwned = 'image'"> <svg onload="window.pwned = 'svg'"></svg>`,
    `![seen](${beacon}/image.png) <img src="${beacon}/img.png"> <iframe src="${beacon}/frame"></iframe>`,
    `[click me](javascript:window.pwned='link') [or me](JaVaScRiPt&colon;window.pwned=1) [or](data:text/html,<script>1</script>)`,
    `<a href="javascript:window.pwned='a'">a</a> <style>@import url(${beacon}/style.css)</style>`,
    `<base href="${beacon}/"> <meta http-equiv="refresh" content="0;url=${beacon}/"> <form action="${beacon}"><button>b</button></form>`,
    `<link rel="stylesheet" href="${beacon}/link.css"> </textarea></title><script>window.pwned = 'end'</script>`,
    `{{constructor.constructor('window.pwned=1')()}}`,
  ].join('\n\n')

/** Short enough for any name. */
const NAME = `${WORD} <img src=x onerror=window.pwned=1>`

const FORMULA = '=HYPERLINK("http://127.0.0.1:9/","click")'

/** The model queries the text and returns it as a cell and a column name, with names that exist on every object. */
export const answering = (text: string): Script => [
  {
    call: {
      tool: 'execute_sql',
      input: {
        sql: `SELECT ${quoted(text)} AS "<img src=x onerror=window.pwned=1>", 1 AS "__proto__", 2 AS "constructor", ${quoted(FORMULA)} AS formula`,
        database: 'shop',
      },
    },
  },
  { say: text },
]

/** A cell of megabytes, very many columns, an endless line, and Markdown nested as deep as possible. */
const MUCH: readonly ScriptedStep[] = [
  { call: { tool: 'execute_sql', input: { sql: `SELECT repeat('${WORD} ', 1000000) AS big`, database: 'shop' } } },
  {
    call: {
      tool: 'execute_sql',
      input: {
        sql: `SELECT ${Array.from({ length: 1_500 }, (_, n) => `${n} AS c${n}`).join(', ')}`,
        database: 'shop',
      },
    },
  },
  {
    say: [
      `${WORD} ${'x'.repeat(100_000)}`,
      `${'> '.repeat(2_000)}deep`,
      `${'- '.repeat(2_000)}deep`,
      `${'['.repeat(5_000)}${'*_'.repeat(5_000)}`,
      `|${' a |'.repeat(2_000)}\n|${' - |'.repeat(2_000)}\n|${' b |'.repeat(2_000)}`,
    ].join('\n\n'),
  },
]

/** Repeats the last step if there are further requests. */
export const answeringMuch: Script = (_request, at) => MUCH[Math.min(at, MUCH.length - 1)]!

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Puts the text everywhere Ken accepts text, and returns the addresses that show it. */
export async function plant(desk: AppDesk, text: string): Promise<Record<string, string>> {
  const { decision_id: id, error } = await desk.run('propose_decision', {
    title: `${NAME} in titles`,
    rationale: text,
    rejected: [{ alternative: `${WORD} <svg onload=window.pwned=1>`, reason: text.replaceAll('\n', ' ') }],
  })
  expect(error).toBeUndefined()
  const number = Number(/\d+/.exec(String(id))![0])
  await desk.run('flag_question', { question: `${NAME}?`, context: text })
  const { path: note } = await desk.run('memory_write', { content: text })
  await desk.run('memories_add', { content: `Prefer ${NAME}` })
  const { slug } = await desk.run('story', { action: 'create', title: NAME, text: `# ${NAME}\n\n${text}` })
  writeFileSync(join(desk.folder, 'RULES.md'), `# Rules\n\n${text}\n`)
  speak(desk, text)
  await desk.run('harvest', {})
  const asked = await desk.run('ask', { question: `What of ${WORD}?` })
  await desk.run('chat_rename', { chat: asked['chat'], title: NAME })
  await plantSources(desk, text)
  plantTests(desk)
  execFileSync('git', ['branch', '-m', `${WORD}<img/src=x/onerror=window.pwned=1>`], { cwd: desk.folder })
  const { results } = await desk.run('memory_query', { query: `${WORD} session`, origin: ['session'] })
  const inUrl = encodeURIComponent(hostileWords)
  return {
    home: '',
    news: 'news',
    decision: `decisions/${number}`,
    edit: `decisions/${number}/edit`,
    compare: `decisions/compare?a=${number}&b=2`,
    timeline: 'decisions?view=timeline',
    graph: 'decisions?view=graph',
    questions: 'decisions?view=questions',
    search: `memory?q=${WORD}`,
    session: `memory/doc/${results[0].id}`,
    notes: `memory/notes?file=${basename(String(note))}`,
    about: 'memory/about-me',
    tree: `context?find=${WORD}`,
    file: 'context/file/RULES.md',
    rules: 'context/rules',
    table: `context/table/hostile/${encodeURIComponent(NAME)}`,
    tests: `tests?q=${WORD}`,
    story: `stories/${slug}`,
    chats: `ask?find=${WORD}`,
    chat: `ask/${asked['chat']}`,
    'address: question': `ask?question=${inUrl}`,
    'address: search': `memory?q=${inUrl}`,
    'address: filter': `decisions?q=${inUrl}&file=${inUrl}`,
    'address: as of': `decisions?asOf=${inUrl}`,
    'address: settings': `settings/models?q=${inUrl}`,
    'address: case': `tests?record=${inUrl}`,
    'address: table': `context/table/shop/${inUrl}`,
    'address: file': `context/file/${inUrl}`,
    'address: chat': `ask/${inUrl}`,
    'address: story': `stories/${inUrl}`,
    'address: document': `memory/doc/${inUrl}`,
    'address: no page': inUrl,
  }
}

const hostileWords = `${WORD} "><img src=x onerror=window.pwned=1><script>window.pwned=1</script> javascript:window.pwned=1`

/** Adds a database with hostile names, and a document with a hostile file name. */
async function plantSources(desk: AppDesk, text: string): Promise<void> {
  const database = new DatabaseSync(join(desk.folder, 'hostile.db'))
  database.exec(`CREATE TABLE "${NAME}" ("__proto__" TEXT, "constructor" TEXT, "${NAME}" TEXT)`)
  database.prepare(`INSERT INTO "${NAME}" VALUES (?, ?, ?)`).run(text, WORD, FORMULA)
  database.close()
  writeFileSync(join(desk.folder, 'handbook', `${NAME}.md`), `# ${NAME}\n\n${text}\n`)
  await desk.run('source_add', { what: ['hostile.db'], name: 'hostile', yes: true })
  const { failures } = await desk.run('sync_sources', {})
  expect(failures).toEqual([])
  const { columns } = await desk.run('table_facts', { database: 'hostile', table: NAME })
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(['__proto__', 'constructor', NAME])
}

/** Writes a case that is valid except for its name, and an invalid file. */
function plantTests({ folder }: AppDesk): void {
  const named = JSON.stringify(`${NAME} is caught`)
  writeFileSync(
    join(folder, 'tests/hostile.yaml'),
    `- name: ${named}\n  kind: decision\n  tags: ['<svg onload=window.pwned=1>']\n  proposal: ${named}\n  verdict: none\n`,
  )
  writeFileSync(
    join(folder, 'tests', `${NAME}.yaml`),
    `- name: ${named}\n  kind: '<img src=x onerror=window.pwned=1>'\n`,
  )
}

/** Writes a conversation as Claude Code logs it. */
function speak({ home, folder }: AppDesk, printable: string): void {
  // A session may contain characters that the record rejects.
  const text = `${printable}\n\n\u001b]8;;https://example.com\u0007terminal\u001b]8;;\u0007 \u202egnp.exe\u202c`
  const logs = join(home, '.claude/projects/orchard')
  mkdirSync(logs, { recursive: true })
  const line = (n: number, role: 'user' | 'assistant', content: string) =>
    JSON.stringify({
      type: role,
      sessionId: 'hostile',
      uuid: `hostile-${n}`,
      cwd: folder,
      timestamp: new Date(Date.now() - 3_600_000 + n * 1_000).toISOString(),
      message: { role, content: role === 'user' ? content : [{ type: 'text', text: content }] },
    })
  writeFileSync(
    join(logs, 'hostile.jsonl'),
    `${line(0, 'user', `What of this ${WORD} session? ${text}`)}\n${line(1, 'assistant', text)}\n`,
  )
}
