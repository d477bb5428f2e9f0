import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_TABLE, type ErrorCode } from '../src/kernel/domain/errors.ts'
import { dailySample } from './daily-sample.ts'
import { docsCommands } from './docs-commands.ts'
import { KEN } from './ken-program.ts'
import { ownDuckdb } from './shop-database.ts'

const PAGES_A_DAY = 4
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-docs-')))
const prepared = join(place, 'prepared')
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Servers, shells, downloads, and commands that run until stopped; they are covered by other suites. */
const LASTS = /^(?:app|chat|serve|lsp|server|auth|watch(?! --st)|sync --watch|sync team|models pull)\b/
/** Ids, names and addresses of an example, which this repository does not have. */
const EXAMPLE =
  /…|<|\b0[12][A-Z][0-9A-Z]{2,}|q_[0-9a-f]{12}|1f3c9a02b7aa|ken\.example\.com|v1\.4\.0|Fastify|Koa|\bwiki\b|gte-small/
/** Output of a command without a model, a key, a server or an earlier run. */
const WITHOUT: readonly (readonly [RegExp, readonly ErrorCode[]])[] = [
  [/^ask\b/, ['unavailable']],
  // The folder is a project already; `first-hour.slow.test.ts` starts from nothing.
  [/^start$/, ['conflict']],
  [/^embed$/, ['unavailable']],
  [/^keys set/, ['unavailable']],
  // A page that adds several sources leaves open which of them a statement is for.
  [/^sql\b/, ['invalid_input']],
  [/^source add (?:DATABASE_URL|\.\/analytics)$/, ['not_found']],
  [/^(?:sql|chart|source|sync|trust|debug)\b/, ['forbidden', 'unavailable', 'conflict']],
  [
    /^(?:session show last|chats|stories|feedback|unshare|shared|attach|link)\b/,
    ['not_found', 'invalid_input', 'forbidden'],
  ],
  [/^test\b/, ['not_found', 'invalid_input', 'unavailable']],
]

const pages = [
  ...Map.groupBy(
    docsCommands().filter(({ page, isWhole }) => isWhole && !/^(?:docs\/reference|integrations)\//.test(page)),
    ({ page }) => page,
  ),
].map(([page, commands]) => ({
  page,
  lines: commands.map(({ words }) => words).filter((words) => !LASTS.test(words.join(' '))),
}))

const surroundings = (root: string) => ({
  PATH: process.env['PATH']!,
  HOME: join(root, 'home'),
  KEN_TELEMETRY: '0',
  NO_COLOR: '1',
})

function ken(root: string, words: readonly string[]) {
  return spawnSync(process.execPath, [KEN, ...words], {
    cwd: join(root, 'shop'),
    env: surroundings(root),
    encoding: 'utf8',
    input: '',
  })
}

beforeAll(async () => {
  const shop = join(prepared, 'shop')
  mkdirSync(join(prepared, 'home'), { recursive: true })
  mkdirSync(join(shop, 'exports'), { recursive: true })
  mkdirSync(join(shop, 'queries'))
  writeFileSync(join(shop, 'exports/visits.csv'), 'day,visits\n2026-05-01,4\n')
  writeFileSync(join(shop, 'queries/revenue.sql'), 'SELECT sum(amount) AS revenue FROM orders\n')
  const data = ownDuckdb(join(shop, 'shop.duckdb'))
  await data.exec("CREATE TABLE orders AS SELECT 1 AS id, 9.5 AS amount, 'north' AS region, 'gift' AS note")
  await data.close()
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', shop, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words])
  execFileSync('git', ['init', '-q', '-b', 'main', shop])
  git('add', '.')
  git('commit', '-qm', 'start')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  expect(ken(prepared, ['init', 'shop', '--demo'])).toMatchObject({ status: 0 })
}, 60_000)

test.each(dailySample('pages of the documentation', pages, PAGES_A_DAY))(
  'the commands of $page run in order',
  ({ page, lines }) => {
    const root = join(place, page.replaceAll('/', '-'))
    cpSync(prepared, root, { recursive: true })
    // A project is identified by its path.
    rmSync(join(root, 'home/.ken'), { recursive: true, force: true })
    rmSync(join(root, 'shop/.ken'), { recursive: true, force: true })
    if (!lines.some(([word]) => word === 'init')) ken(root, ['init', 'shop', '--demo'])
    if (!lines.some((words) => /^(?:source add|init --context)/.test(words.join(' '))))
      ken(root, ['source', 'add', 'shop.duckdb'])
    const wrong = lines.flatMap((words) => {
      const line = words.join(' ')
      const { status, stderr } = ken(root, words)
      const code = Object.entries(ERROR_TABLE).find(([, { exit }]) => exit === status)?.[0] as ErrorCode | undefined
      // Commands that find something exit with 1; a failure of Ken itself is reported on standard error.
      const isFine = status === 0 || (status === 1 && !stderr.includes('internal'))
      const isKnown =
        (EXAMPLE.test(line) && status !== ERROR_TABLE.internal.exit) ||
        WITHOUT.some(([pattern, codes]) => pattern.test(line) && codes.includes(code!))
      return isFine || isKnown ? [] : [`ken ${line}: ${status} ${stderr.split('\n')[0]}`]
    })
    expect(wrong).toEqual([])
  },
  300_000,
)
