import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { analyseDocument, type AnalysedDocument } from '../../src/memory/domain/document/analyse-document.ts'
import type { IndexBatch, IndexHit, IndexQuestion, SearchIndex } from '../../src/memory/ports/search-index.ts'
import { openPacker } from '../../src/retrieval/domain/ranking/packed-postings.ts'
import { readQuestion } from '../../src/retrieval/domain/ranking/read-question.ts'
import { quantize } from '../../src/retrieval/domain/ranking/vector.ts'
import { openStaticEmbedder } from '../../src/retrieval/embed/static/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const embedder = openStaticEmbedder(join(ROOT, 'models/static-256/model.bin'))

/** The sections of this repository's guides, its decisions, and the ranking code with its tests. */
export async function documentsOfRepository({ most = Infinity } = {}): Promise<IndexBatch[]> {
  const all = [
    ...filesUnder('docs', /\.md$/).flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split(/^(?=## )/m)
        .map((text, at) => ({ path: `${path}/${at}.md`, text, origin: 'document' as const, workspace: 'global' })),
    ),
    ...filesUnder('.ken/record/decisions', /\.md$/).map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), 'utf8'),
      origin: 'decision' as const,
      workspace: 'aaaaaaaaaaaa',
    })),
    ...filesUnder('src/retrieval/domain/ranking', /\.ts$/).map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), 'utf8'),
      origin: 'code' as const,
      workspace: 'aaaaaaaaaaaa',
    })),
  ]
  const texts = all.slice(-most)
  const half = most === Infinity ? Math.ceil(texts.length / 2) : texts.length
  return Promise.all([texts.slice(0, half), texts.slice(half)].map(toBatch))
}

async function toBatch(
  files: readonly { path: string; text: string; origin: 'document' | 'decision' | 'code'; workspace: string }[],
): Promise<IndexBatch> {
  const packer = openPacker()
  const toEmbed: string[] = []
  const documents: AnalysedDocument[] = files.map(({ path, text, origin, workspace }) =>
    analyseDocument(
      {
        collection: origin,
        path,
        origin,
        workspace,
        trust: 'compiled',
        project: undefined,
        size: text.length,
        mtime: 1,
        hash: path,
      },
      text,
      {
        take(tokens, embedded) {
          packer.add(tokens)
          toEmbed.push(embedded())
        },
      },
    ),
  )
  const all = (await embedder.embed(toEmbed, 'document')).map(quantize)
  return { documents, postings: packer.pack(), vectors: { embedder: embedder.id, all }, removed: [], restamped: [] }
}

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => `${folder}/${path}`)
    .sort()

const QUESTIONS: readonly string[] = [
  'how does ken keep secrets out of the index',
  'what is a workspace',
  'superseded decisions',
  'hybrid-search',
  'hybridSearch',
  'How does the guard work?',
  'connect a PostgreSQL database',
  'which events does the analyst send',
  'where do I put RULES.md',
  'write a test for an answer',
  'tests of best parts',
  'what did I say about tokens',
  'install on windows',
  'MCP server for Claude Code',
  'undo a change',
  'charts and stories',
  'full text engine packed postings',
  'vector scan in WebAssembly',
  'why node 24',
  'license of the embedding model',
  'forget a session',
  'ken sync',
  'compile the context from dbt',
  'columns with personal data',
  'hook that runs before an edit',
  'drift between decisions and manifests',
  'read_question',
  'scoreChunks',
  'cosine of two quantized vectors',
  'budget of a brief',
  'who may accept a proposal',
  'merge driver',
  'a clone is a stranger',
  'redact the journal',
  'telemetry',
  'keychain',
  'the the of and',
  'zzzzqqq nothing here has this word',
  'model',
  'documents and files and tables of a project',
]

/**
 * Asserts that both indexes return the same hits for every query, by words, by meaning and by both, everywhere and in a
 * narrow scope.
 */
export async function expectSameAnswers(one: SearchIndex, other: SearchIndex, { least = 300 } = {}): Promise<void> {
  let hits = 0
  for (const [at, text] of QUESTIONS.entries()) {
    const [vector] = await embedder.embed([text], 'query')
    const by = (['both', 'words', 'both', 'meaning'] as const)[at % 4]!
    const asked: IndexQuestion = {
      ...readQuestion(text),
      by,
      scope: at % 5 === 4 ? { within: { workspaces: ['aaaaaaaaaaaa'], projects: [] } } : {},
      limit: 10,
      meaning: { embedder: embedder.id, vector: quantize(vector!), beta: at % 8 === 2 ? undefined : 1.2 },
    }
    const [expected, found] = [await one.search(asked), await other.search(asked)]
    expectSameHits(found, expected, `${by}: ${text}`)
    hits += found.length
  }
  expect(hits).toBeGreaterThan(least)
}

const APART = 1e-6

function expectSameHits(found: readonly IndexHit[], expected: readonly IndexHit[], asked: string): void {
  expect(found.length, asked).toBe(expected.length)
  expected.forEach((hit, at) => {
    expect(Math.abs(found[at]!.score - hit.score), asked).toBeLessThan(APART)
    const last = expected.at(-1)!.score
    // Hits with equal scores may be in a different order, and a different one may be the last shown.
    const same = found.find(({ document, score }) => document.key === hit.document.key && near(score, hit.score))
    if (same === undefined) return expect(near(hit.score, last), `${asked}: ${hit.document.path}`).toBe(true)
    if (found[at]!.document.key !== hit.document.key)
      expect(near(found[at]!.score, hit.score), `${asked}: ${hit.document.path}`).toBe(true)
    expect(told(same), asked).toEqual(told(hit))
    expect(Math.abs(same.coverage - hit.coverage), asked).toBeLessThan(APART)
    expect(Math.abs((same.cosine ?? 9) - (hit.cosine ?? 9)), asked).toBeLessThan(APART)
  })
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < APART

const told = ({ document, chunk, parts, hasAllWords, isNamed, worth }: IndexHit) => ({
  key: document.key,
  facts: { title: document.title, tags: document.tags, superseded: document.superseded, modified: document.modified },
  lines: [chunk, ...parts].map(({ startLine, endLine, heading }) => [startLine, endLine, heading]),
  hasAllWords,
  isNamed,
  worth,
})
