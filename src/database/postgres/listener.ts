import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { untilLanded } from './until-landed.ts'

const PAUSE_MS = 500
const ANSWER_MS = 3_000

export interface Listener extends Pick<SqlDatabase, 'listen' | 'answers'> {
  close(): Promise<void>
}

export interface ListenerOptions {
  connect(): Client
  /** Milliseconds that a new listener waits while the server is away. */
  readonly patience: number
  /** Called if the server stops answering without an announcement. */
  fellSilent(): void
}

/** One connection for all listeners. If it is lost, it is replaced, and all are notified of the gap. */
export function openListener({ connect, patience, fellSilent }: ListenerOptions): Listener {
  const heard = new Map<string, Set<(message: string | undefined) => void>>()
  let client: Promise<Client> | undefined
  let asked: Promise<boolean> | undefined
  let isClosed = false
  const open = async (): Promise<Client> => {
    const one = connect()
    one.on('notification', ({ channel, payload }) => {
      for (const hear of heard.get(channel) ?? []) hear(payload ?? '')
    })
    await one.connect()
    try {
      for (const channel of heard.keys()) await one.query(`LISTEN ${quoted(channel)}`)
    } catch (error) {
      void one.end().catch(() => undefined)
      throw error
    }
    // Attached only now: a connection lost earlier would be replaced twice, and every event delivered twice from then
    // on.
    one.once('end', () => void reopen())
    watchPulse(one, fellSilent)
    return one
  }
  /** A failed connection is retried by the next caller. */
  const opened = (): Promise<Client> => {
    if (client !== undefined) return client
    const opening = open()
    opening.catch(() => {
      if (client === opening) client = undefined
    })
    return (client = opening)
  }
  const reopen = async (): Promise<void> => {
    while (!isClosed) {
      client = open()
      if (
        await client.then(
          () => true,
          () => false,
        )
      )
        break
      await setTimeout(PAUSE_MS)
    }
    if (!isClosed) for (const hears of heard.values()) for (const hear of hears) hear(undefined)
  }
  return {
    async listen(channel, hear) {
      const hears = heard.get(channel) ?? new Set()
      heard.set(channel, hears.add(hear))
      const close = async (): Promise<void> => {
        hears.delete(hear)
        if (hears.size === 0) heard.delete(channel)
      }
      try {
        await untilLanded(patience, async () => (await opened()).query(`LISTEN ${quoted(channel)}`))
      } catch (error) {
        await close()
        throw error
      }
      return { close }
    },
    // Uses this connection, which is never busy: a server under load still answers.
    async answers() {
      asked ??= opened()
        .then((one) => one.query('SELECT 1'))
        .then(
          () => true,
          () => false,
        )
        .finally(() => (asked = undefined))
      return Promise.race([asked, setTimeout(ANSWER_MS, false, { ref: false })])
    },
    async close() {
      isClosed = true
      await client?.then((one) => one.end()).catch(() => undefined)
    },
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const BEAT_MS = 2_000
// Six seconds, so that running transactions can still commit elsewhere. Counted in beats, so that a stall of this
// process does not count as the server's silence.
const MOST_MISSED = 3

/**
 * Pings a connection regularly and reports when no response arrives. A power loss or a network partition ends no
 * connection: the operating system waits for a quarter of an hour.
 */
function watchPulse(client: Client, fellSilent: () => void): void {
  let isAsked = false
  let missed = 0
  const answered = (): void => {
    isAsked = false
  }
  const timer = setInterval(() => {
    if (isAsked) {
      missed += 1
      if (missed === MOST_MISSED) fellSilent()
      return
    }
    isAsked = true
    missed = 0
    client.query('SELECT 1').then(answered, answered)
  }, BEAT_MS)
  timer.unref()
  client.once('end', () => clearInterval(timer))
}
