/**
 * Measures `ken drift` on a repository of 20,000 commits and 5,000 files with 1,000 decisions, each made at a different
 * commit: `node bench/drift.ts [commits] [files] [decisions]`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../src/operations/context.ts'
import { findDrift } from '../src/record/find-drift.ts'
import { openRepositoryHistory } from '../src/record/repository/history.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import { stepClock } from '../test/contract/step-clock.ts'
import { type Given, recordFiles } from '../test/sample-record.ts'

const [commits = 20_000, files = 5_000, decisions = 1_000] = process.argv.slice(2).map(Number)
const TOOLS = ['Redis', 'Kafka', 'Fastify', 'Express', 'Prisma', 'MongoDB', 'Vitest', 'Jest', 'Zod', 'Pino'] as const
const PACKAGES = [
  'ioredis',
  'kafkajs',
  'fastify',
  'express',
  'prisma',
  'mongoose',
  'vitest',
  'jest',
  'zod',
  'pino',
] as const
const FIRST = Date.UTC(2020, 0, 1) / 1000
const STEP = 7_200

const folder = mkdtempSync(join(tmpdir(), 'ken-bench-drift-'))
try {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder })
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: history(), maxBuffer: 1 << 30 })
  execFileSync('git', ['reset', '--quiet', '--hard', 'main'], { cwd: folder })
  const store = await openMemoryStore({
    project: { id: 'P', name: 'bench', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(record()),
  })
  const parser = openTreeSitterParser()
  const ctx = {
    repositoryHistory: () => openRepositoryHistory(folder),
    codeParser: async () => parser,
    progress() {},
  } as Partial<Context> as Context
  for (const run of ['first', 'second']) {
    const start = performance.now()
    const { judged, findings } = await findDrift(ctx, store, {})
    const kinds = Object.entries(Object.groupBy(findings, ({ kind }) => kind)).map(
      ([kind, all]) => `${kind} ${all.length}`,
    )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
    console.log(
      `${run.padEnd(6)} ${seconds} s, ${memory} MB, ${judged} decisions, ${commits} commits, ${files} files: ${kinds.join(', ')}`,
    )
  }
  await parser.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function history(): string {
  const parts: string[] = []
  for (let i = 0; i < commits; i++) {
    const at = FIRST + i * STEP
    parts.push(`commit refs/heads/main\ncommitter Test <test@example.org> ${at} +0000\ndata 1\nx\n`)
    const touched =
      i === 0 ? Array.from({ length: files }, (_, n) => n) : [0, 1, 2].map((n) => (i * 7919 + n * 104_729) % files)
    for (const n of touched) parts.push(file(pathOf(n), source(n, i)))
    if (i % 10 === 0) parts.push(file('package.json', manifest(i)))
  }
  return parts.join('')
}

function file(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
}

function pathOf(n: number): string {
  return `src/area${n % 40}/part${n % 400}/file${n}.ts`
}

function source(n: number, round: number): string {
  return `import { x } from '${PACKAGES[n % 3]}'\n${Array.from({ length: 60 }, (_, i) => `export const v${i} = run(${n}, ${i < 50 ? 0 : round}, ${i})\n`).join('')}`
}

function manifest(i: number): string {
  return JSON.stringify(
    {
      name: 'bench',
      dependencies: Object.fromEntries(
        PACKAGES.filter((_, n) => (i / 10 + n * 37) % 300 > 60).map((name) => [name, `^${i}.0.0`]),
      ),
    },
    null,
    2,
  )
}

function record(): Given[] {
  return Array.from({ length: decisions }, (_, i) => ({
    num: i + 2,
    title: `${TOOLS[i % TOOLS.length]} carries part ${i}`,
    date: new Date((FIRST + Math.floor((i / decisions) * commits) * STEP) * 1000).toISOString().slice(0, 10),
    rationale: `We looked at it in week ${i} and it was the simplest.`,
    rejected: [{ name: i % 2 === 0 ? 'Winston' : 'Moment.js', reason: 'More to run.' }],
    files_affected: [
      pathOf(i % files),
      `src/area${i % 40}/part${i % 400}/`,
      ...(i % 5 === 0 ? [`src/**/file${i}.ts`] : []),
    ],
  }))
}
