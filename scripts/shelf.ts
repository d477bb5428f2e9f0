// Writes the installable files (integrations/, the plugin marketplace, server.json) from setup and the operation
// registry; with --check it only compares.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shelfFiles } from './shelf/shelf-files.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['integrations', '.claude-plugin']
/** Folders with files written by hand. */
const KEPT = ['integrations/github-action/', 'integrations/editors/', 'integrations/vscode/extension/']
const isCheck = process.argv.includes('--check')

const files = await shelfFiles()
const present = FOLDERS.flatMap((folder) =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    : [],
)
const left = present.filter(
  (path) => !Object.hasOwn(files, path) && !KEPT.some((folder) => path.replaceAll('\\', '/').startsWith(folder)),
)
const stale = Object.entries(files).filter(
  ([path, text]) => !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== text,
)
if (!isCheck) {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
  for (const path of left) rmSync(join(ROOT, path))
}
const wrong = [...stale.map(([path]) => path), ...left]
if (isCheck && wrong.length > 0) {
  console.error(`Out of date: ${wrong.join(', ')}. Run \`npm run shelf\`.`)
  process.exit(1)
}
console.log(
  isCheck
    ? `${Object.keys(files).length} files to install from are up to date.`
    : `Wrote ${stale.length} of ${Object.keys(files).length} files to install from, and removed ${left.length}.`,
)
