import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { parseHashIndex } from '../../src/record/domain/decision/duplicate.ts'
import { HASHES } from '../../src/record/domain/files.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url))
const STEADY = 4
const AHEAD = 3
// Milliseconds; a commit takes 5 to 50 here, and about 60 disk operations.
const LONGEST_LIFE = 120
const MOST_STEPS = 70

export interface CrashReport {
  readonly kills: number
  readonly acknowledged: number
  readonly decisions: number
  /** Descriptions of losses and damage; expected to be empty. */
  readonly faults: readonly string[]
}

/**
 * Four processes write steadily, a fifth is killed at random points and restarted; afterwards the record must contain
 * everything that was acknowledged.
 */
export async function killWriters(folder: string, kills: number, chance: () => number): Promise<CrashReport> {
  const acknowledged: string[] = []
  const steady = Array.from({ length: STEADY }, (_, i) =>
    startWriter(folder, `steady ${i}`, { pause: 30, acknowledged }),
  )
  for (const writer of steady) await writer.go()
  // Every third victim is killed at any moment, the others between two disk operations of a change.
  const startVictim = (n: number) =>
    startWriter(folder, 'victim', {
      pause: 0,
      acknowledged,
      ...(n % 3 > 0 && { step: Math.floor(chance() * MOST_STEPS) }),
    })
  const waiting = Array.from({ length: AHEAD }, (_, n) => startVictim(n))
  for (let killed = 0; killed < kills; killed++) {
    const victim = waiting.shift()!
    waiting.push(startVictim(killed + AHEAD))
    await victim.go()
    if (killed % 3 > 0) await victim.death()
    else await sleep(chance() * LONGEST_LIFE)
    await victim.kill()
  }
  await Promise.all(waiting.map((victim) => victim.kill()))
  const exits = await Promise.all(steady.map((writer) => writer.stop()))
  const faults = exits.flatMap((code, i) => (code === 0 ? [] : [`steady writer ${i} ended with ${code}`]))
  const store = await openStore(folder)
  try {
    const { decisions } = await store.catalogue()
    return {
      kills,
      acknowledged: acknowledged.length,
      decisions: decisions.length,
      faults: [...faults, ...(await examine(store, folder, acknowledged))],
    }
  } finally {
    await store.close()
  }
}

const openStore = (folder: string): Promise<Store> =>
  openFileStore({
    root: join(folder, 'record'),
    cacheDir: join(folder, 'cache'),
    stateDir: join(folder, 'state'),
    clock: systemClock,
    project: { id: '01JQ0000000000000000000000', name: 'crash', mode: 'local', location: folder },
  })

interface WriterOptions {
  readonly pause: number
  readonly step?: number
  readonly acknowledged: string[]
}

function startWriter(folder: string, name: string, { pause, step, acknowledged }: WriterOptions) {
  const values = [folder, name, String(pause), ...(step === undefined ? [] : [String(step)])]
  const child: ChildProcess = spawn(process.execPath, [WRITER, ...values], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ready = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<number | string>()
  child.on('exit', (code, signal) => ended.resolve(code ?? signal ?? 'nothing'))
  createInterface({ input: child.stdout! })
    .on('line', (line) => (line === 'ready' ? ready.resolve() : acknowledged.push(line.slice('ack '.length))))
    .on('close', () => read.resolve())
  return {
    async go() {
      await Promise.race([ready.promise, ended.promise])
      child.stdin!.write('go\n')
    },
    death: () => ended.promise,
    async kill() {
      child.kill('SIGKILL')
      await Promise.all([ended.promise, read.promise])
    },
    async stop() {
      child.stdin!.write('stop\n')
      await read.promise
      return ended.promise
    },
  }
}

async function examine(store: Store, folder: string, acknowledged: readonly string[]): Promise<string[]> {
  const faults = (await store.verify()).map((d) => `verify: ${d.path} ${d.kind}: ${d.message}`)
  const { decisions, unreadable } = await store.catalogue()
  faults.push(...unreadable.map((u) => `unreadable: ${u.path}`))
  const stems = new Set(decisions.map((d) => d.stem))
  faults.push(...acknowledged.filter((stem) => !stems.has(stem)).map((stem) => `lost: ${stem}`))
  const byNumber = new Map(decisions.map((d) => [d.num, d]))
  if (byNumber.size !== decisions.length) faults.push(`${decisions.length - byNumber.size} numbers are used twice`)
  for (const d of decisions) {
    const old = d.supersedes === null ? undefined : byNumber.get(Number(d.supersedes))
    if (d.supersedes !== null && (old?.status !== 'superseded' || old.superseded_by !== String(d.num)))
      faults.push(`half a supersession: ${d.stem} and ${old?.stem}`)
  }
  const noted = new Set((await store.journal()).map((event) => event.facts['decision']))
  faults.push(...[...stems].filter((stem) => !noted.has(stem)).map((stem) => `not in the journal: ${stem}`))
  const hashed = Object.values(parseHashIndex(await store.read(HASHES)) ?? {}).length
  if (hashed !== stems.size) faults.push(`the hash index knows ${hashed} of ${stems.size} decisions`)
  const newest = (await store.snapshots.list()).at(-1)
  const captured = newest && (await store.snapshots.read(newest.version))
  for (const path of await store.list())
    if (captured?.files[path] !== (await store.read(path))) faults.push(`the newest snapshot differs in ${path}`)
  const litter = ['record', 'state']
    .flatMap((place) => readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' }))
    .filter((name) => /\.ken-|\.(?:intent|undo)$/.test(name))
  return [...faults, ...litter.map((name) => `left behind: ${name}`)]
}
