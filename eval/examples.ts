/**
 * Measures which proven queries reach the analyst's model: `npm run -s eval -- --only examples`. Sixteen questions
 * about the demo shop are in queries/ with their SQL; each is also asked in other words, together with questions that
 * none of them answers, some of them about other tables of the same shop. Each goes through `ask` with a model that
 * only records its input. The baseline is plain BM25 over the questions of the examples, which always has a best match.
 * Half of the questions are held out, by a hash. `node eval/examples.ts` prints the misses of the other half.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { makeShop } from '../scripts/demo-shop.ts'
import { openKen } from '../src/app/open.ts'
import { QUERY_STOP_WORDS } from '../src/kernel/domain/text/decision-tokens.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { rankBm25 } from '../src/retrieval/domain/ranking/bm25.ts'
import { openScriptedModel } from '../test/scripted-model.ts'
import { isKeptBackId } from './beaver-project.ts'
import { SHOP_QUESTIONS } from './shop-questions.ts'
import { HALVES, type Figure } from './suite.ts'

interface ExampleSet {
  readonly paraphrases: readonly { readonly question: string; readonly like: string }[]
  readonly others: readonly string[]
}

interface Asked {
  readonly question: string
  /** The example that answers it; undefined if none does. */
  readonly like: string | undefined
  /** Examples in the model's input, in order. */
  readonly given: readonly string[]
  readonly byWords: string | undefined
}

const BY_WORDS = 'best match of plain BM25'

export async function exampleFigures(): Promise<Figure[]> {
  const asked = await askAll()
  return HALVES.flatMap((half) => {
    const own = asked.filter(({ question }) => isKeptBackId(question) === (half === 'kept back'))
    const [similar, others] = [
      own.filter(({ like }) => like !== undefined),
      own.filter(({ like }) => like === undefined),
    ]
    const figure = (
      measure: string,
      {
        of,
        holds,
        byWords,
        better,
      }: {
        of: readonly Asked[]
        holds: (one: Asked) => boolean
        byWords: (one: Asked) => boolean
        better: Figure['better']
      },
    ): Figure => ({
      set: 'demo shop, 16 queries',
      half,
      measure,
      value: of.filter(holds).length,
      of: of.length,
      better,
      peer: { name: BY_WORDS, value: of.filter(byWords).length },
    })
    const isFirst = (one: Asked): boolean => one.byWords === one.like
    return [
      figure('paraphrases given their example', {
        of: similar,
        holds: ({ given, like }) => given.includes(like!),
        byWords: isFirst,
        better: 'higher',
      }),
      figure('paraphrases given it first', {
        of: similar,
        holds: ({ given, like }) => given[0] === like,
        byWords: isFirst,
        better: 'higher',
      }),
      figure('other questions given an example', {
        of: others,
        holds: ({ given }) => given.length > 0,
        byWords: ({ byWords }) => byWords !== undefined,
        better: 'lower',
      }),
    ]
  })
}

async function askAll(): Promise<readonly Asked[]> {
  const set = JSON.parse(readFileSync(join(import.meta.dirname, 'sets/examples/shop.json'), 'utf8')) as ExampleSet
  const known = new Set(set.paraphrases.map(({ like }) => like))
  const examples = SHOP_QUESTIONS.filter(({ text }) => known.has(text))
  const outside = mkdtempSync(join(tmpdir(), 'ken-eval-examples-'))
  const folder = join(outside, 'shop')
  mkdirSync(join(folder, 'queries'), { recursive: true })
  await makeShop(join(folder, 'shop.duckdb'), 2_000)
  writeFileSync(
    join(folder, 'ken.yaml'),
    stringify({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] }),
  )
  examples.forEach(({ text, sql }, i) =>
    writeFileSync(join(folder, `queries/q${i}.sql`), `-- question: ${text}\n${sql};\n`),
  )
  const model = await openScriptedModel(() => 'Noted.')
  const environment = {
    HOME: outside,
    KEN_HOME: join(outside, 'home'),
    KEN_TELEMETRY: '0',
    KEN_MODEL: 'compatible:scripted',
    KEN_MODEL_URL: `${model.url}/v1`,
  }
  const ken = openKen(environment, () => {})
  const run = async (name: string, input: object): Promise<void> => {
    const operation = OPERATIONS.find((one) => one.name === name)!
    await call(ken.context({ origin: { surface: 'cli' }, cwd: folder }), operation, input)
  }
  const given = async (question: string): Promise<readonly string[]> => {
    model.requests.length = 0
    await run('ask', { question })
    const files = model.requests[0]!.user.matchAll(/about="example from queries\/q(\d+)\.sql"/g)
    return [...files].map(([, number]) => examples[Number(number)]!.text)
  }
  const byWords = (question: string): string | undefined =>
    rankBm25(
      examples.map(({ text }) => text),
      question,
      { stopWords: QUERY_STOP_WORDS, limit: 1 },
    ).map(({ index }) => examples[index]!.text)[0]
  try {
    await run('config_set', { name: 'memory.learn', value: 'false' })
    await run('sync_sources', {})
    const asked: Asked[] = []
    for (const { question, like } of [
      ...set.paraphrases,
      ...set.others.map((one) => ({ question: one, like: undefined })),
    ])
      asked.push({ question, like, given: await given(question), byWords: byWords(question) })
    return asked
  } finally {
    await ken.close()
    await model.close()
    rmSync(outside, { recursive: true, force: true })
  }
}

if (import.meta.main)
  for (const { question, like, given } of await askAll())
    if (!isKeptBackId(question) && (like === undefined ? given.length > 0 : !given.includes(like)))
      console.log(`${question}\n  needs ${like ?? 'none'}\n  given ${given.join(' | ')}`)
