// Writes docs/reference/ from the registry, the settings, the sources, the error table and the permission table, and
// the figure tables in guides from eval/baselines/; with --check it only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testsSchemaText } from '../src/evaluation/domain/tests-schema.ts'
import { evalTables, withTables } from './eval-tables.ts'
import { kenYamlPage } from './ken-yaml-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { errorsPage, operationPages, settingsPage } from './reference-pages.ts'

const ROOT = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

const reference: Record<string, string> = {
  ...operationPages(),
  'settings.md': settingsPage(),
  'ken-yaml.md': await kenYamlPage(),
  'errors.md': errorsPage(),
  'permissions.md': permissionsPage(),
  'tests.schema.json': testsSchemaText(),
}
const pages = Object.fromEntries(Object.entries(reference).map(([name, text]) => [`docs/reference/${name}`, text]))
const tables = evalTables()
for (const path of ['docs/quality.md', 'docs/guides/memory.md', 'docs/guides/tools.md'])
  pages[path] = withTables(readFileSync(join(ROOT, path), 'utf8'), tables)

const stale: string[] = []
for (const [name, text] of Object.entries(pages)) {
  const path = join(ROOT, name)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  stale.push(name)
  if (isCheck) continue
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run docs\`.`)
  process.exit(1)
}
console.log(
  isCheck
    ? `${Object.keys(pages).length} pages are up to date.`
    : `Wrote ${stale.length} of ${Object.keys(pages).length} pages.`,
)
