import type { Example } from './domain/examples/example.ts'
import { readExamples } from './domain/examples/read-examples.ts'
import type { ContextFiles } from './ports/context-files.ts'

const FOLDER = 'queries'
const LARGEST = 1_000_000
const MOST_FILES = 2_000
const MOST_BYTES = 20_000_000
const MOST_EXAMPLES = 5_000

/** Examples in queries/, by path; a folder named after a database selects it. */
export async function readExampleFiles(
  files: Pick<ContextFiles, 'list' | 'read'>,
  databases: readonly string[],
): Promise<readonly Example[]> {
  const listed = (await files.list(FOLDER)).filter(
    ({ path, bytes }) => /\.(?:sql|md|ya?ml)$/i.test(path) && bytes <= LARGEST,
  )
  let bytes = 0
  const taken = listed.slice(0, MOST_FILES).filter((file) => (bytes += file.bytes) <= MOST_BYTES)
  const read = await Promise.all(
    taken.map(async ({ path }) => readExamples(path, await files.read(path).catch(() => ''))),
  )
  return read
    .flat()
    .slice(0, MOST_EXAMPLES)
    .map((example) => {
      const folder = example.path.split('/')[1]
      const named = example.database ?? databases.find((database) => database === folder)
      return { ...example, database: named }
    })
}
