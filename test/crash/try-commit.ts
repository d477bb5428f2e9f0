// Tries changes of the given sizes and prints, for each, the outcome and all files before and after: `node
// try-commit.ts <record> <cache> <bytes>…`.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../src/kernel/domain/errors.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'
import { seededChance } from './seeded-chance.ts'

const [root, cacheDir, ...sizes] = process.argv.slice(2) as [string, string, ...string[]]
const store = await openFileStore({
  root,
  cacheDir,
  stateDir: `${cacheDir}-state`,
  clock: systemClock,
  project: { id: '01JQ0000000000000000000000', name: 'try', mode: 'local', location: root },
})
const answers: Record<string, unknown>[] = []
for (const size of sizes) {
  const before = allFiles()
  const failure = await attempt(Number(size))
  answers.push({ ...failure, before, after: allFiles() })
}
process.stdout.write(JSON.stringify(answers))
await store.close()

/** Writes text that does not compress well, so that every part of the change takes its space. */
async function attempt(bytes: number): Promise<Record<string, unknown>> {
  const chance = seededChance(bytes)
  try {
    await store.commit({ surface: 'cli' }, async (draft) => {
      draft.write('project.md', Array.from({ length: bytes }, () => Math.floor(chance() * 36).toString(36)).join(''))
      draft.write('stack.md', `of size ${bytes}`)
      if (bytes % 3 === 0) draft.remove('stack.md')
      draft.snapshot('try')
    })
    return {}
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, message: error.message, hint: error.hint }
  }
}

function shortened(text: string): string {
  return text.length < 100 ? text : createHash('sha256').update(text).digest('hex')
}

function allFiles(): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  )
  return Object.fromEntries(paths.map((path) => [path, shortened(readFileSync(join(root, path), 'utf8'))]))
}
