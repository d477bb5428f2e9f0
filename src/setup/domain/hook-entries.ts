import type { Node } from 'jsonc-parser'
import { nodeAt, propertyOf, readJson, valueAt } from '../../kernel/domain/text/json-document.ts'
import {
  type Client,
  HOOK_PATIENCE,
  type HookEvent,
  type HookFile,
  type Launcher,
  hookCommand,
  isHookCommand,
} from './client.ts'
import type { FilePart } from './file-change.ts'
import { appendJson, dropMember, replaceNode, upsertJson } from './json-edit.ts'
import { removeJson, removeJsonItem } from './json-removal.ts'

type Events = Extract<HookFile, { kind: 'events' }>

/** Ken's handlers in the event lists of a JSON file. Other handlers, and user settings on Ken's handlers, stay. */
export function hookEntries(client: Client, file: Events, start: { launcher: Launcher; platform: string }): FilePart {
  const events = Object.entries(client.events) as [HookEvent, string][]
  return {
    add(text) {
      const versioned =
        file.version && valueAt(readJson(text), ['version']) === undefined ? upsertJson(text, ['version'], 1) : text
      return events.reduce((after, [event, name]) => {
        const command = (patience?: number) =>
          hookCommand(start.launcher, {
            event,
            client: client.name,
            platform: start.platform,
            ...(patience !== undefined && { patience }),
          })
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

type Adding = Slot & { file: Events; command: (patience?: number) => string }

function addHandler(text: string, slot: Adding): string {
  const document = readJson(text)
  const path = ['hooks', slot.name]
  const [present] = ownCommands(nodeAt(document, path), slot)
  if (present !== undefined) {
    const command = slot.command(patienceIn(present.parent!.parent!, slot))
    return present.value === command ? text : replaceNode(document, present, command)
  }
  const handler = slot.file.handler(slot.command())
  return appendJson(text, path, slot.file.nested ? { hooks: [handler] } : handler)
}

/** Seconds that the client waits for an existing handler, which the user may have changed; undefined if not set. */
function patienceIn(handler: Node, { file }: Adding): number | undefined {
  const given: unknown = inside(handler, 'timeout')?.value
  const { timeout = HOOK_PATIENCE } = file.handler('') as { timeout?: number }
  return typeof given === 'number' && given > 0 ? Math.max(1, Math.round((given * HOOK_PATIENCE) / timeout)) : undefined
}

/** Removes one handler at a time: every removal moves those after it. */
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

/** The command nodes of Ken's handlers, in an event's list or in its groups. */
function ownCommands(list: Node | undefined, slot: Slot): Node[] {
  const handlers = (list?.children ?? []).flatMap((item) => [item, ...(inside(item, 'hooks')?.children ?? [])])
  const hook = { event: slot.event, client: slot.client.name }
  return handlers
    .flatMap((handler) => inside(handler, 'command') ?? [])
    .filter((command) => isHookCommand(command.value, hook))
}

const inside = (node: Node, key: string): Node | undefined =>
  node.type === 'object' ? propertyOf(node, key)?.children?.[1] : undefined

/** Removes the version number that the file needs, if Ken added it. */
function withoutVersion(text: string, before: string | undefined): string | undefined {
  if (before === undefined ? hasKey(text, 'hooks') : hasKey(before, 'version')) return text
  return removeJson(text, ['version'], before)
}

const hasKey = (text: string, key: string): boolean => valueAt(readJson(text), [key]) !== undefined
