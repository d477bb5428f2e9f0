import { AppError } from '../errors.ts'
import { SERVE, type ServerFile } from './client.ts'
import type { FilePart } from './file-parts.ts'
import { readJson, valueAt } from './json-document.ts'
import { upsertJson } from './json-edit.ts'
import { removeJson } from './json-removal.ts'
import { removeToml, tomlValueAt, upsertToml, type TomlTable } from './toml-edit.ts'

/** The MCP server entry in a client's file. Fields that the user added to it stay when Ken writes its own again. */
export function serverEntry(file: ServerFile, entry: Record<string, unknown>): FilePart {
  const { path } = file
  const present = (text: string): unknown =>
    file.format === 'toml' ? tomlValueAt(text, path) : valueAt(readJson(text), path)
  return {
    add(text) {
      const found = present(text)
      if (found !== undefined && !startsKen(found)) throw taken(path)
      if (file.format === 'toml') return upsertToml(text, path, entry as TomlTable)
      if (found === undefined) return upsertJson(text, path, entry)
      return Object.entries(entry).reduce((after, [key, value]) => upsertJson(after, [...path, key], value), text)
    },
    remove(text, before) {
      if (!startsKen(present(text))) return text
      return file.format === 'toml' ? removeToml(text, path, before) : removeJson(text, path, before)
    },
  }
}

/** Whether an entry is Ken's, whatever launcher it names: it ends in the words that start the server. */
function startsKen(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { command, args } = entry as { command?: unknown; args?: unknown }
  const words = Array.isArray(command) ? command : Array.isArray(args) ? args : []
  return SERVE.every((word, at) => words.at(at - SERVE.length) === word)
}

const taken = (path: readonly string[]): AppError =>
  new AppError('conflict', `\`${path.join('.')}\` in it is a server that is not Ken's`, {
    hint: 'Rename or remove that server, then run this again.',
  })
