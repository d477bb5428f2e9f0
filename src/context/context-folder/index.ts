import { createHash } from 'node:crypto'
import { constants, existsSync, realpathSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep, basename, isAbsolute } from 'node:path'
import { closeMatch } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { readPlainFile } from '../../kernel/system/plain-file.ts'
import { CONTEXT_FOLDER } from '../domain/context-project/scaffold.ts'
import type { ContextFolder } from '../ports/context-folder.ts'
import type { Template } from '../ports/templates.ts'

/**
 * The nearest folder with a ken.yaml around a directory, or with a context project below its `.ken`. Throws `not_found`
 * if there is none.
 */
export function openContextFolder(cwd: string): ContextFolder {
  const root = findRoot(cwd)
  return {
    root,
    async read(path) {
      const target = placeOutside(root, path)
      if (target !== undefined) throw leadsOut(path)
      return readSmall(join(root, path)).catch(() => '')
    },
    place: (path) => resolve(root, path),
    outside: (path) => placeOutside(root, path),
    missing: (path) => missingPart(root, path),
    fileMark: (path) => fileMark(root, path),
    overrides: (folder) => readOverrides(root, folder),
    templates: (except) => findTemplates(root, except),
  }
}

function findRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'ken.yaml'))) return realpathSync.native(folder)
    const inner = join(folder, ...CONTEXT_FOLDER.split('/'))
    if (existsSync(join(inner, 'ken.yaml'))) {
      const root = realpathSync.native(inner)
      if (root !== join(realpathSync.native(folder), ...CONTEXT_FOLDER.split('/'))) throw leadsOut(CONTEXT_FOLDER)
      return root
    }
    if (dirname(folder) === folder)
      throw new AppError('not_found', 'Not a context project: no ken.yaml here or in a parent folder.', {
        hint: 'Add a source with `ken source add`, or create one with `ken init --context`.',
      })
  }
}

/** Error for a link that leads outside: a clone could show the user's other files through it. */
const leadsOut = (path: string): AppError =>
  new AppError('forbidden', `${path} is a link that leads out of this folder.`, {
    hint: 'Replace it with a regular file.',
  })

const LARGEST_PROGRAM = 64 * 1024 * 1024

function fileMark(root: string, path: string): string | undefined {
  const place = resolve(root, path)
  if (path === '' || !place.startsWith(root + sep) || placeOutside(root, path) !== undefined) return undefined
  const held = readPlainFile(realpathIfThere(place), LARGEST_PROGRAM)
  return held && createHash('sha256').update(held).digest('hex')
}

function realpathIfThere(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const LARGEST_TEXT = 1024 * 1024

async function readSmall(path: string): Promise<string> {
  // A named pipe in a clone is opened without waiting for a writer, and is then rejected because it is not a regular
  // file.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await file.stat()).isFile()) return ''
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LARGEST_TEXT + 1), position: 0 })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads regular files only: a clone could contain a link to a user file, and the template would show it. */
async function readOverrides(root: string, folder: string): Promise<ReadonlyMap<string, Template>> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md.liquid'))
    .map((entry) => entry.name)
  const found = names.map(
    async (name) =>
      [
        name.slice(0, -'.md.liquid'.length),
        { name: `${folder}/${name}`, text: await readSmall(join(root, folder, name)) },
      ] as const,
  )
  return new Map(await Promise.all(found))
}

const NO_TEMPLATES = new Set(['.git', '.ken', 'node_modules', 'repos', 'tests'])

/** Finds templates. Repository folders and synced files are skipped: a template from elsewhere is never run. */
async function findTemplates(
  root: string,
  except: { readonly owned: ReadonlySet<string>; readonly folder: string },
): Promise<readonly Template[]> {
  const found: Template[] = []
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name)
      const path = relative(root, full).split(sep).join('/')
      if (entry.isDirectory() && !NO_TEMPLATES.has(entry.name) && path !== except.folder) await visit(full)
      if (entry.isFile() && entry.name.endsWith('.liquid') && !except.owned.has(path))
        found.push({ name: path, text: await readSmall(full) })
    }
  }
  await visit(root)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const MOST_NAMES = 10_000

/** Implements `ContextFolder.missing`. A dangling link counts as missing. */
function missingPart(
  root: string,
  path: string,
): { readonly part: string; readonly near: string | undefined } | undefined {
  // An engine address, not a file.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path) || existsSync(resolve(root, path))) return undefined
  let part = path.replace(/(?<=.)[/\\]+$/, '')
  while (dirname(part) !== part && !existsSync(resolve(root, dirname(part)))) part = dirname(part)
  return { part, near: nearName(root, part) }
}

function nearName(root: string, part: string): string | undefined {
  const folder = dirname(part)
  // A link in a clone must not reveal the names of the user's other files.
  if (placeOutside(root, folder) !== undefined) return undefined
  try {
    if (!lstatSync(resolve(root, folder)).isDirectory()) return undefined
    const near = closeMatch(basename(part), readdirSync(resolve(root, folder)).slice(0, MOST_NAMES))
    return near === undefined ? undefined : join(folder, near)
  } catch {
    return undefined
  }
}

/**
 * Target of a ken.yaml path outside the project, following links; undefined if it stays inside. The root is a real
 * path.
 */
export function placeOutside(root: string, path: string): string | undefined {
  // An engine may read `s3://…` or `md:…` as an address, even behind a folder.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return path
  const place = realPlace(resolve(root, path))
  const way = relative(root, place)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? place : undefined
}

const MOST_LINKS = 40

/** The real path of something that may not exist: a dangling link can also lead outside. */
function realPlace(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const link = linkOf(path)
    if (link !== undefined && links < MOST_LINKS)
      return realPlace(resolve(realPlace(dirname(path), links), link), links + 1)
    return dirname(path) === path ? path : join(realPlace(dirname(path), links), basename(path))
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
