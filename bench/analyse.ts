/**
 * Measures how fast texts become index tokens and chunks: `node bench/analyse.ts [folder]`, node_modules by default.
 * Reads the Markdown and source files below the folder and prints CPU time, not wall time. The floor is a plain word
 * match; the peer is FTS5's `porter unicode61` filling a contentless table, against which our figure includes the
 * analyser.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { analyse, FTS5_TOKENIZER } from '../src/kernel/domain/text/analyse.ts'
import { stem } from '../src/kernel/domain/text/stem.ts'
import { chunkCode } from '../src/retrieval/domain/chunking/chunk-code.ts'
import { chunkMarkdown } from '../src/retrieval/domain/chunking/chunk-markdown.ts'
import { languageOfFile } from '../src/retrieval/domain/chunking/code-files.ts'
import { chunkLines } from '../src/retrieval/domain/chunking/cut-chunks.ts'
import { type Bm25Corpus, scoreTokens } from '../src/retrieval/domain/ranking/bm25.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '../node_modules')
const MEGABYTE = 1 << 20
/** A smaller set is read repeatedly; otherwise startup would dominate the measurement. */
const LEAST = 20 * MEGABYTE

interface Texts {
  readonly label: string
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly bytes: number
}

const markdown = load('Markdown', '**/*.md', 60 * MEGABYTE)
const code = load('code', '**/*.{ts,js,py,go,rs,java}', 20 * MEGABYTE)

stems()
for (const set of [markdown, code]) {
  console.log(`\n${set.label}: ${set.files.length} files, ${(set.bytes / MEGABYTE).toFixed(1)} MB`)
  speed('words matched, the floor', set, (text) => text.toLowerCase().match(/\w+/g)?.length ?? 0)
  speed('analyse', set, (text) => analyse(text).length)
  speed(
    'FTS5 porter unicode61, the peer',
    set,
    fill('porter unicode61', (text) => text),
  )
  speed(
    'analyse into FTS5',
    set,
    fill(FTS5_TOKENIZER, (text) => analyse(text).join(' ')),
  )
  speed('chunk by lines', set, (text) => chunkLines(text).length)
  if (set === markdown) speed('chunk by headings', set, (text) => chunkMarkdown(text).length)
}
await codeChunks(code)
queries()

function load(label: string, pattern: string, most: number): Texts {
  const files: { path: string; text: string }[] = []
  let bytes = 0
  for (const path of globSync(pattern, { cwd: folder })) {
    const content = readFileSync(join(folder, path))
    if (content.length > MEGABYTE / 2) continue
    files.push({ path, text: content.toString() })
    bytes += content.length
    if (bytes > most) break
  }
  if (files.length === 0) return { label, files, bytes }
  const size = bytes
  for (const found = files.slice(); bytes < LEAST; bytes += size) files.push(...found)
  return { label, files, bytes }
}

function cpuSeconds(task: () => void): number {
  const before = process.cpuUsage()
  task()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Best of three rounds: the round least disturbed by other work on the machine. */
function speed(what: string, { files, bytes }: Texts, count: (text: string) => number): void {
  let made = 0
  const rounds = [1, 2, 3].map(() =>
    cpuSeconds(() => {
      made = 0
      for (const { text } of files) made += count(text)
    }),
  )
  const seconds = Math.min(...rounds)
  console.log(`  ${what.padEnd(34)} ${(bytes / MEGABYTE / seconds).toFixed(1).padStart(7)} MB/s  ${made} made`)
}

function fill(tokenizer: string, prepare: (text: string) => string): (text: string) => number {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(body, content='', tokenize="${tokenizer}")`)
  const insert = db.prepare('INSERT INTO t(body) VALUES (?)')
  return (text) => Number(insert.run(prepare(text)).changes)
}

function stems(): void {
  const path = join(import.meta.dirname, '../test/fixtures/golden/stems.json')
  const words = (JSON.parse(readFileSync(path, 'utf8')) as { cases: [string, string][] }).cases.map(([word]) => word)
  let letters = 0
  const rounds = 20
  const seconds = cpuSeconds(() => {
    for (let round = 0; round < rounds; round++) for (const word of words) letters += stem(word).length
  })
  console.log(
    `stem: ${Math.round((rounds * words.length) / seconds / 1000)} thousand words/s without a cache (${letters} letters)`,
  )
}

async function codeChunks({ files, bytes }: Texts): Promise<void> {
  const parser = openTreeSitterParser()
  const before = process.cpuUsage()
  let chunks = 0
  for (const { path, text } of files) {
    const outline = await parser.parse(text, languageOfFile(path) ?? 'typescript')
    chunks += chunkCode(text, outline?.definitions ?? []).length
  }
  const { user, system } = process.cpuUsage(before)
  console.log(
    `  ${'chunk by syntax tree'.padEnd(34)} ${(bytes / MEGABYTE / ((user + system) / 1e6)).toFixed(1).padStart(7)} MB/s  ${chunks} made`,
  )
  await parser.close()
}

/** Five terms that occur in 40, 20, 10, 5 and 1 percent of a hundred thousand documents. */
function queries(): void {
  const size = 100_000
  const lists = [0.4, 0.2, 0.1, 0.05, 0.01].map((share) => {
    const docs = Uint32Array.from({ length: size * share }, (_, i) => Math.floor(i / share))
    return { docs, counts: Uint16Array.from(docs, (doc) => 1 + (doc % 4)) }
  })
  const lengths = Uint16Array.from({ length: size }, (_, doc) => 40 + ((doc * 7919) % 160))
  const corpus: Bm25Corpus = {
    size,
    averageLength: 120,
    length: (doc) => lengths[doc]!,
    postings: (term) => lists[Number(term)],
  }
  const times = Array.from(
    { length: 50 },
    () => 1000 * cpuSeconds(() => scoreTokens(['0', '1', '2', '3', '4'], corpus, { limit: 10 })),
  ).sort((a, b) => a - b)
  console.log(
    `\nBM25 over ${size} documents, five terms: median ${times[25]!.toFixed(1)} ms, slowest ${times[49]!.toFixed(1)} ms`,
  )
}
