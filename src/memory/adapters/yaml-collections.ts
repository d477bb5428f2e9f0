import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { parseDocument, type Document } from 'yaml'
import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import type { Collection, Collections } from '../ports/collections.ts'

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u
const DEFAULT_PATTERN = '**/*.md'

/** Names reserved for Ken's built-in collections. */
const RESERVED = new Set(['memory', 'sessions', 'record', 'codebase'])

/** The named document folders in the user's config.yml. */
export function openYamlCollections(path: string): Collections {
  const load = (): Document => {
    const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '')
    if (document.errors.length === 0) return document
    throw new AppError('damaged', `${path} is not valid YAML: ${document.errors[0]!.message.split('\n')[0]}`, {
      hint: 'Fix the file, or move it away to start from the defaults.',
    })
  }
  // Readable only by the owner: the file may name services and their keys.
  const save = (document: Document) => writeAtomically(path, String(document), 0o600)

  return {
    list() {
      // Without a file there is nothing to parse, and the YAML library need not be loaded.
      if (!existsSync(path)) return { collections: [], faults: [] }
      const faults: string[] = []
      const collections: Collection[] = []
      for (const [name, raw] of Object.entries(plainMap(load().get('collections')))) {
        const read = readCollection(name, raw, dirname(path))
        if (typeof read === 'string') faults.push(`${path}: collections.${name}: ${read}`)
        else collections.push(read)
      }
      return { collections: collections.sort((a, b) => (a.name < b.name ? -1 : 1)), faults }
    },
    add({ name, pattern, origin, ...given }, cwd) {
      assertName(name)
      const folder = expand(given.path, cwd)
      const workspace = given.workspace === undefined ? undefined : expand(given.workspace, cwd)
      for (const named of [folder, workspace]) {
        if (named !== undefined && !statSync(named, { throwIfNoEntry: false })?.isDirectory())
          throw new AppError('not_found', notFound('Folder', named), { hint: 'Pass the path of a folder.' })
      }
      const document = load()
      if (document.hasIn(['collections', name]))
        throw new AppError('conflict', `A collection named "${name}" already exists.`, {
          hint: `Remove it first with \`ken collection remove ${name}\`, or choose another name.`,
        })
      document.setIn(['collections', name], {
        path: folder,
        pattern,
        ...(origin === 'context' && { origin }),
        ...(workspace !== undefined && { workspace }),
      })
      save(document)
      return { name, path: folder, pattern, origin, workspace }
    },
    remove(name) {
      const document = load()
      if (!document.hasIn(['collections', name])) throw unknown(name)
      document.deleteIn(['collections', name])
      if (Object.keys(plainMap(document.get('collections'))).length === 0) document.delete('collections')
      save(document)
    },
    rename(from, to) {
      assertName(to)
      const document = load()
      const node = document.getIn(['collections', from], true)
      if (node === undefined) throw unknown(from)
      if (document.hasIn(['collections', to]))
        throw new AppError('conflict', `A collection named "${to}" already exists.`, { hint: 'Choose another name.' })
      document.deleteIn(['collections', from])
      document.setIn(['collections', to], node)
      save(document)
    },
  }
}

function assertName(name: string): void {
  if (RESERVED.has(name))
    throw new AppError('invalid_input', `"${name}" is a collection managed by Ken.`, {
      hint: 'Choose another name.',
    })
  if (!NAME.test(name))
    throw new AppError('invalid_input', `"${name}" is not a valid collection name.`, {
      hint: 'Use up to 64 letters, digits, dots, hyphens and underscores.',
    })
}

const unknown = (name: string): AppError =>
  new AppError('not_found', `No collection named "${name}".`, {
    hint: 'List them with `ken collection list`.',
  })

function readCollection(name: string, raw: unknown, folder: string): Collection | string {
  const entry = typeof raw === 'string' ? { path: raw } : raw
  if (typeof entry !== 'object' || entry === null) return 'it names no path'
  const { path, pattern = DEFAULT_PATTERN, origin = 'document', workspace } = entry as Record<string, unknown>
  if (typeof path !== 'string' || path === '') return 'it names no path'
  if (typeof pattern !== 'string' || pattern === '') return 'its pattern is not a glob'
  if (origin !== 'document' && origin !== 'context') return 'its origin must be document or context'
  if (RESERVED.has(name)) return 'Ken uses this name itself'
  return {
    name,
    path: expand(path, folder),
    pattern,
    origin,
    workspace: typeof workspace === 'string' ? expand(workspace, folder) : undefined,
  }
}

const expand = (path: string, folder: string): string =>
  path.startsWith('~') ? join(homedir(), path.slice(1)) : isAbsolute(path) ? path : resolve(folder, path)

function plainMap(node: unknown): Record<string, unknown> {
  const value =
    typeof node === 'object' && node !== null && 'toJSON' in node ? (node as { toJSON(): unknown }).toJSON() : node
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
