import { nodeAt, readJson, sameJson, valueAt } from '../../kernel/domain/text/json-document.ts'
import { SERVER_NAME } from './client.ts'
import type { FilePart } from './file-change.ts'
import { appendJson, replaceNode, upsertJson } from './json-edit.ts'
import { removeJson, removeJsonItem } from './json-removal.ts'

const SCHEMA = 'https://opencode.ai/config.json'

/**
 * OpenCode adds this key to every file that lacks it. Ken includes it in files that it creates, and removes it with the
 * rest unless the user had it. Written after the server entry, and removed before it.
 */
export const opencodeSchema: FilePart = {
  add: (text) => (holdsKenAlone(text) ? upsertJson(text, ['$schema'], SCHEMA) : text),
  remove(text, before) {
    if (valueAt(readJson(text), ['$schema']) !== SCHEMA) return text
    const isOurs = before === undefined ? holdsKenAlone(text) : valueAt(readJson(before), ['$schema']) === undefined
    return isOurs ? removeJson(text, ['$schema'], before) : text
  },
}

function holdsKenAlone(text: string): boolean {
  const { $schema: _, mcp, ...rest } = (valueAt(readJson(text), []) ?? {}) as Record<string, unknown>
  return Object.keys(rest).length === 0 && sameJson(Object.keys((mcp ?? {}) as object), [SERVER_NAME])
}

const FILE_NAME = ['context', 'fileName']
const BOTH = ['GEMINI.md', 'AGENTS.md']

/** Gemini CLI reads only GEMINI.md unless AGENTS.md is configured as well. */
export const geminiFileNames: FilePart = {
  add(text) {
    const document = readJson(text)
    const found = valueAt(document, FILE_NAME)
    if (found === undefined) return upsertJson(text, FILE_NAME, BOTH)
    if ([found].flat().includes('AGENTS.md')) return text
    return Array.isArray(found)
      ? appendJson(text, FILE_NAME, 'AGENTS.md')
      : replaceNode(document, nodeAt(document, FILE_NAME)!, [found, 'AGENTS.md'])
  },
  remove(text, before) {
    const document = readJson(text)
    const found = valueAt(document, FILE_NAME)
    const was = before === undefined ? undefined : valueAt(readJson(before), FILE_NAME)
    if (!Array.isArray(found) || [was ?? []].flat().includes('AGENTS.md')) return text
    if (was === undefined)
      // Without a receipt the server entry is the only sign that Ken wrote this file.
      return sameJson(found, BOTH) &&
        (before !== undefined || nodeAt(document, ['mcpServers', SERVER_NAME]) !== undefined)
        ? removeJson(text, FILE_NAME, before)
        : text
    if (!Array.isArray(was))
      return sameJson(found, [was, 'AGENTS.md']) ? replaceNode(document, nodeAt(document, FILE_NAME)!, was) : text
    return found.includes('AGENTS.md') ? removeJsonItem(text, FILE_NAME, found.indexOf('AGENTS.md'), before) : text
  },
}
