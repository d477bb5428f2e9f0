// Writes chats until it is killed, and prints each acknowledged one as a line: `node chat-writer.ts <state.db> <name>`.
import { writeSync } from 'node:fs'
import { openSqliteAnalystState } from '../../src/database/state/sqlite/analyst-state.ts'
import { NO_USAGE } from '../../src/kernel/domain/model-usage.ts'

const [path, name] = process.argv.slice(2) as [string, string]
const acknowledge = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`)
const state = await openSqliteAnalystState(path)
const at = new Date().toISOString()

async function converse(id: string): Promise<never> {
  await state.chats.start({
    id,
    user: 'ada',
    project: 'shop',
    folder: '/shop',
    title: id,
    starred: false,
    createdAt: at,
    updatedAt: at,
  })
  acknowledge({ chat: id })
  for (let n = 0; ; n++) {
    const message = { id: `${id}-${n}`, chat: id, role: 'assistant', at, superseded: false } as const
    const [number] = await state.log.begin(message, [{ kind: 'text', text: '' }])
    acknowledge({ message: message.id, chat: id, number })
    let text = ''
    for (let more = 0; more < 10; more++) {
      text += `${message.id} says ${more}. `
      await state.log.grow(id, number!, text)
      acknowledge({ chat: id, number, text })
    }
    const result = { kind: 'result', call: 'k', tool: 't', text, failed: false } as const
    const added = await state.log.append(message, result, at)
    acknowledge({ chat: id, number: added, text })
    await state.log.end(message.id, { reason: 'answered', usage: NO_USAGE, milliseconds: 1, steps: 1 })
    acknowledge({ ended: message.id, chat: id })
  }
}

await Promise.all(Array.from({ length: 5 }, (_, n) => converse(`${name}-${n}`)))
