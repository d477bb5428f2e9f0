import { AppError } from '../../kernel/domain/errors.ts'
import { readJson, valueAt } from '../../kernel/domain/text/json-document.ts'
import type { Client, Launcher, ServerFile } from './client.ts'
import type { FilePart } from './file-change.ts'
import { upsertJson } from './json-edit.ts'
import { removeJson } from './json-removal.ts'
import { type TomlTable, removeToml, tomlValueAt, upsertToml } from './toml-edit.ts'

type Fields = Readonly<Record<string, unknown>>
type EntryFile = Exclude<ServerFile, { format: 'file' }>

/** How a client reaches Ken: it starts the program, or connects to a running server at `url`. */
export interface Reach {
  readonly launcher: Launcher
  readonly url?: string | undefined
}

/**
 * The MCP server entry in a client's file. When Ken rewrites its own fields, fields added by the user stay, and fields
 * for the other way of reaching Ken are removed.
 */
export function serverEntry(client: Client, file: EntryFile, { launcher, url }: Reach): FilePart {
  const { path } = file
  const [wanted, other]: readonly Fields[] =
    url === undefined
      ? [client.entry(launcher), client.httpEntry(url ?? '')]
      : [client.httpEntry(url), client.entry(launcher)]
  return {
    add(text) {
      const found = present(file, text)
      if (found !== undefined && !isKen(found)) throw taken(path)
      const entry = { ...missingIn(found, client.once ?? {}), ...wanted }
      if (file.format === 'toml')
        return upsertToml(isOther(found, url) ? removed(text, path) : text, path, entry as TomlTable)
      if (found === undefined) return upsertJson(text, path, entry)
      const stale = Object.keys(other!).filter((key) => !Object.hasOwn(entry, key))
      const kept = isOther(found, url)
        ? stale.reduce((after, key) => removeJson(after, [...path, key], text) ?? after, text)
        : text
      return Object.entries(entry).reduce((after, [key, value]) => upsertJson(after, [...path, key], value), kept)
    },
    remove(text, before) {
      if (!isKen(present(file, text))) return text
      return file.format === 'toml' ? removeToml(text, path, before) : removeJson(text, path, before)
    },
  }
}

const present = (file: EntryFile, text: string): unknown =>
  file.format === 'toml' ? tomlValueAt(text, file.path) : valueAt(readJson(text), file.path)

const removed = (text: string, path: readonly string[]): string => removeToml(text, path, text) ?? ''

const missingIn = (found: unknown, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !Object.hasOwn((found ?? {}) as object, key)))

/** Whether an existing entry connects to Ken by the other transport. */
const isOther = (found: unknown, url: string | undefined): boolean =>
  found !== undefined && asksServer(found) !== (url !== undefined)

/** The variable from which a client takes the token of `ken serve --http`: no client file contains the token itself. */
export const TOKEN_VARIABLE = 'KEN_HTTP_TOKEN'

/** The URL of `ken serve --http`; without a folder the server chooses the project. */
export const httpUrl = (port: number, directory: string | undefined): string =>
  `http://127.0.0.1:${port}/mcp${directory === undefined ? '' : `?directory=${encodeURIComponent(directory)}`}`

const isKen = (entry: unknown): boolean => startsKen(entry) || asksServer(entry)

/** Whether an entry starts Ken's server, with any launcher and toolset. */
function startsKen(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { command, args } = entry as { command?: unknown; args?: unknown }
  const words = Array.isArray(command) ? command : Array.isArray(args) ? args : []
  return words.some((word, at) => word === 'serve' && words[at + 1] === '--stdio')
}

/** Whether an entry connects to a server on this machine with Ken's token. */
function asksServer(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { url, httpUrl: other } = entry as { url?: unknown; httpUrl?: unknown }
  const address = typeof url === 'string' ? url : other
  return (
    typeof address === 'string' &&
    /^http:\/\/127\.0\.0\.1:\d+\/mcp(?:\?|$)/.test(address) &&
    JSON.stringify(entry).includes(TOKEN_VARIABLE)
  )
}

const taken = (path: readonly string[]): AppError =>
  new AppError('conflict', `\`${path.join('.')}\` in it is a server that is not Ken's`, {
    hint: 'Rename or remove that server, then run this again.',
  })
