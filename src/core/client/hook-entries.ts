import type { Node } from 'jsonc-parser'
import { type Client, type HookEvent, type HookFile, type Launcher, hookCommand, isHookCommand } from './client.ts'
import type { FilePart } from './file-change.ts'
import { nodeAt, propertyOf, readJson, valueAt } from './json-document.ts'
import { appendJson, dropMember, replaceNode, upsertJson } from './json-edit.ts'
import { removeJson, removeJsonItem } from './json-removal.ts'

type Events = Extract<HookFile, { kind: 'events' }>

/** Ken's handlers in the lists of events of a JSON file. Handlers of others, and what the user set on Ken's, stay. */
export function hookEntries(client: Client, file: Events, start: { launcher: Launcher; platform: string }): FilePart {
  const events = Object.entries(client.events) as [HookEvent, string][]
  return {
    add(text) {
      const versioned =
        file.version && valueAt(readJson(text), ['version']) === undefined ? upsertJson(text, ['version'], 1) : text
      return events.reduce((after, [event, name]) => {
        const command = hookCommand(start.launcher, { event, client: client.name, platform: start.platform })
        return addHandler(after, { file, event, name, client, command })
      }, versioned)
    },
    remove(text, before) {
      let after: string | undefined = text
      for (const [event, name] of events)
        after = after === undefined ? undefined : removeHandlers(after, { event, name, client }, before)
      return after !== undefined && file.version ? withoutVersion(after, before) : after
    },
  }
}

interface Slot {
  readonly event: HookEvent
  readonly name: string
  readonly client: Client
}

function addHandler(text: string, slot: Slot & { file: Events; command: string }): string {
  const document = readJson(text)
  const path = ['hooks', slot.name]
  const [present] = ownCommands(nodeAt(document, path), slot)
  if (present !== undefined) return present.value === slot.command ? text : replaceNode(document, present, slot.command)
  const handler = slot.file.handler(slot.command)
  return appendJson(text, path, slot.file.nested ? { hooks: [handler] } : handler)
}

/** One handler at a time: every removal moves what follows it. */
function removeHandlers(text: string, slot: Slot, before: string | undefined): string | undefined {
  const path = ['hooks', slot.name]
  const list = nodeAt(readJson(text), path)
  const [command] = ownCommands(list, slot)
  if (list === undefined || command === undefined) return text
  const handler = command.parent!.parent!
  const group = handler.parent!
  const alone = group === list || group.children!.length === 1
  const item = group === list ? handler : group.parent!.parent!
  const after = alone
    ? removeJsonItem(text, path, list.children!.indexOf(item), before)
    : dropMember(text, group, handler)
  return after === undefined ? undefined : removeHandlers(after, slot, before)
}

/** The nodes of the command lines of Ken's handlers, in an event's list or in the groups of one. */
function ownCommands(list: Node | undefined, slot: Slot): Node[] {
  const handlers = (list?.children ?? []).flatMap((item) => [item, ...(inside(item, 'hooks')?.children ?? [])])
  const hook = { event: slot.event, client: slot.client.name }
  return handlers
    .flatMap((handler) => inside(handler, 'command') ?? [])
    .filter((command) => isHookCommand(command.value, hook))
}

const inside = (node: Node, key: string): Node | undefined =>
  node.type === 'object' ? propertyOf(node, key)?.children?.[1] : undefined

/** The version number that the file needs goes again if Ken brought it. */
function withoutVersion(text: string, before: string | undefined): string | undefined {
  if (before === undefined ? hasKey(text, 'hooks') : hasKey(before, 'version')) return text
  return removeJson(text, ['version'], before)
}

const hasKey = (text: string, key: string): boolean => valueAt(readJson(text), [key]) !== undefined
