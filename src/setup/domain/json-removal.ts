import type { Node } from 'jsonc-parser'
import { nodeAt, propertyOf, readJson, type JsonDocument } from '../../kernel/domain/text/json-document.ts'
import { interior, dropMember, splice } from './json-edit.ts'

/**
 * Removes the value under a path of keys. `before` is the text without the value: containers that are not in it are
 * removed once they are empty, and one that was empty is restored as it was. Undefined if the file is then empty.
 */
export function removeJson(text: string, path: readonly string[], before: string | undefined): string | undefined {
  const document = readJson(text)
  const holder = nodeAt(document, path.slice(0, -1))
  const member = holder?.type === 'object' ? propertyOf(holder, path.at(-1)!) : undefined
  if (holder === undefined || member === undefined) return text
  return tidy(dropMember(text, holder, member), path.slice(0, -1), before)
}

/** Removes one item of the list under a path of keys, and then empty containers, as `removeJson` does. */
export function removeJsonItem(
  text: string,
  path: readonly string[],
  index: number,
  before: string | undefined,
): string | undefined {
  const list = nodeAt(readJson(text), path)
  const item = list?.type === 'array' ? list.children?.[index] : undefined
  return list === undefined || item === undefined ? text : tidy(dropMember(text, list, item), path, before)
}

function tidy(text: string, path: readonly string[], before: string | undefined): string | undefined {
  const document = readJson(text)
  const holder = nodeAt(document, path)
  if (holder === undefined || (holder.children?.length ?? 0) > 0) return text
  const earlier = readEarlier(before)
  const was = earlier === undefined ? undefined : nodeAt(earlier, path)
  if (was !== undefined) return restoreInside(text, holder, { document: earlier!, node: was })
  return path.length === 0 ? withoutRoot(text, holder, before) : removeJson(text, path, before)
}

/** Restores the original content of an emptied container, unless comments were added since. */
function restoreInside(text: string, holder: Node, was: { document: JsonDocument; node: Node }): string {
  if ((was.node.children?.length ?? 0) > 0) return text
  const [from, to] = interior(holder)
  const inside = was.document.text.slice(...interior(was.node))
  return inside.trim() === text.slice(from, to).trim() ? splice(text, from, to, inside) : text
}

function withoutRoot(text: string, root: Node, before: string | undefined): string | undefined {
  const [from, to] = interior(root)
  if (text.slice(from, to).trim() !== '') return text
  const rest = splice(text, root.offset, root.offset + root.length, '')
  if (before !== undefined) return rest.trim() === before.trim() ? before : text
  return rest.trim() === '' ? undefined : text
}

function readEarlier(before: string | undefined): JsonDocument | undefined {
  if (before === undefined) return undefined
  try {
    return readJson(before)
  } catch {
    return undefined
  }
}
