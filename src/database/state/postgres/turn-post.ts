import { z } from 'zod'
import type { TurnOrder, TurnPost } from '../../../analyst/ports/turn-post.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'

export interface TurnPostOptions {
  /** Unique name for an order. */
  newId(): string
  /** Milliseconds to wait for a response to an order. */
  readonly patience?: number
}

const CHANNEL = 'ken_turn'
const PATIENCE_MS = 5_000

const chat = z.string().max(200)
const order = z.discriminatedUnion('do', [
  z.object({ do: z.literal('stop'), chat }),
  z.object({ do: z.literal('settle'), chat, call: z.string(), answer: z.enum(['once', 'chat', 'no']) }),
])
const letter = z.union([z.object({ id: z.string(), order }), z.object({ id: z.string(), done: z.literal(true) })])

/** Orders and their results as notifications: an order without a listener is lost. */
export async function openPostgresTurnPost(
  database: SqlDatabase,
  { newId, patience = PATIENCE_MS }: TurnPostOptions,
): Promise<TurnPost> {
  const waiting = new Map<string, () => void>()
  let carryOut: (order: TurnOrder) => Promise<boolean> = async () => false
  const tell = (message: z.output<typeof letter>): Promise<unknown> =>
    database.transaction('server', (sql) => sql.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)]))
  const obeyed = async (id: string, given: TurnOrder): Promise<void> => {
    if (await carryOut(given)) await tell({ id, done: true })
  }
  const subscription = await database.listen(CHANNEL, (text) => {
    const heard = letter.safeParse(readJson(text))
    if (!heard.success) return
    if ('done' in heard.data) waiting.get(heard.data.id)?.()
    // On failure the sender gets no response, and times out.
    else obeyed(heard.data.id, heard.data.order).catch(() => {})
  })
  return {
    async send(given) {
      const id = newId()
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting.set(id, () => resolve(true))
      const timer = setTimeout(() => resolve(false), patience)
      try {
        await tell({ id, order: given })
        return await promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    obey: (how) => void (carryOut = how),
    close: () => subscription.close(),
  }
}

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
